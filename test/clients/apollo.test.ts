import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { isMutationOperation } from '@apollo/client/utilities';
import { describeClient } from './behaviour.ts';

describeClient('Apollo Client', {
  request({ url, document, variables, headers, method, fetch }) {
    const link = new HttpLink({ uri: url, headers, fetch, useGETForQueries: method === 'GET' });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    return isMutationOperation(document)
      ? client.mutate({ mutation: document, variables, errorPolicy: 'all' })
      : client.query({ query: document, variables, errorPolicy: 'all' });
  },
  errorsIn(error) {
    if (CombinedGraphQLErrors.is(error)) return error.errors;
    return ServerError.is(error) ? JSON.parse(error.bodyText).errors : undefined;
  },
  graphqlError: CombinedGraphQLErrors,
  statusError: ServerError,
});
