import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { possibleTypes, typePolicies } from 'receivables-graphql/apollo.js';
import { gatewayFetch } from './gateway-fetch.ts';

export const cache = new InMemoryCache({ typePolicies, possibleTypes });

export const client = new ApolloClient({
  link: new HttpLink({ uri: 'http://localhost:4000/graphql', fetch: gatewayFetch }),
  cache,
});
