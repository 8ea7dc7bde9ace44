import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
// In your own project, import the file that you download from the gateway.
import { possibleTypes, typePolicies } from '../../../clients/apollo.js';

export function createClient(url: string, token: string): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri: url, headers: { Authorization: `Bearer ${token}` } }),
    cache: new InMemoryCache({ typePolicies, possibleTypes }),
  });
}
