import { Client, CombinedError, fetchExchange } from '@urql/core';
import { getOperationAST } from 'graphql';
import { describeClient } from './behaviour.ts';

describeClient('urql', {
  request({ url, document, variables, headers, method, fetch }) {
    const client = new Client({
      url,
      exchanges: [fetchExchange],
      fetch,
      fetchOptions: { headers },
      preferGetMethod: method === 'GET',
    });
    return getOperationAST(document)?.operation === 'mutation'
      ? client.mutation(document, variables).toPromise()
      : client.query(document, variables).toPromise();
  },
  errorsIn: (error) => (error instanceof CombinedError ? error.graphQLErrors : undefined),
  graphqlError: CombinedError,
  statusError: CombinedError,
});
