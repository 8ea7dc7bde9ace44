import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { RetryLink } from '@apollo/client/link/retry';
import { isMutationOperation } from '@apollo/client/utilities';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
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

test('Apollo Client tries again what a busy gateway refuses', async () => {
  const busy = await startGateway({ handler: { maxOperations: 0 } });
  const statuses: number[] = [];
  const http = new HttpLink({
    uri: busy.url,
    async fetch(...parameters) {
      const answer = await fetch(...parameters);
      statuses.push(answer.status);
      return answer;
    },
  });
  const link = new RetryLink({ delay: { initial: 1 }, attempts: { max: 3 } }).concat(http);
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  await expect(client.query({ query: parse('{ administration(id: "1001") { id } }') })).rejects.toThrow(
    ServerError,
  );
  expect(statuses).toEqual([503, 503, 503]);
  await busy.close();
});
