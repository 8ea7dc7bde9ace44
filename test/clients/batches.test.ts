import { createHash } from 'node:crypto';
import { ApolloClient, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { RetryLink } from '@apollo/client/link/retry';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { BEARER, freshGateway, useGateway } from '../support/gateway.ts';

const gateway = await useGateway();
const names = (first: number) =>
  parse(`query Names${first} { debtors(administrationId: "1001", first: ${first}) { nodes { id name } } }`);

/** What Apollo Client's own link sends, and how many requests that are. */
function batchLink(uri = gateway.url, batchMax = 10) {
  const bodies: string[] = [];
  const link = new BatchHttpLink({
    uri,
    headers: BEARER,
    batchInterval: 20,
    batchMax,
    fetch(input, init) {
      bodies.push(String(init?.body));
      return fetch(input, init);
    },
  });
  return { link, bodies };
}

test('Apollo Client sends several operations in one request, and each gets its answer or its errors', async () => {
  const { link, bodies } = batchLink();
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const ask = (first: number) => client.query<{ debtors: { nodes: object[] } }>({ query: names(first) });
  const wrong = client.query({ query: parse('query Wrong { nonsense }') });
  const answers = await Promise.all([ask(1), ask(2), wrong.catch((error: unknown) => error), ask(3)]);
  expect(
    answers.map((answer) =>
      answer instanceof Error ? CombinedGraphQLErrors.is(answer) : Object(answer).data.debtors.nodes.length,
    ),
  ).toEqual([1, 2, true, 3]);
  expect(bodies).toHaveLength(1);
});

test('Apollo Client tells that it has sent too many operations at once', async () => {
  const { link } = batchLink(gateway.url, 20);
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const asked = Array.from({ length: 12 }, (_, index) =>
    client.query({ query: names(index + 1) }).catch((error: unknown) => String(error)),
  );
  for (const error of await Promise.all(asked))
    expect(error).toMatch(/more than 10 operations\. Send at most 10/);
});

test('Apollo Client sends hashes in arrays, and registers what is unknown', async () => {
  const { link, bodies } = batchLink((await freshGateway()).url);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const client = new ApolloClient({
    link: new PersistedQueryLink({ sha256 }).concat(link),
    cache: new InMemoryCache(),
  });
  const both = () =>
    Promise.all([1, 2].map((first) => client.query({ query: names(first), fetchPolicy: 'network-only' })));
  for (const _round of ['register', 'with a credential that is known', 'find']) {
    const answers = await both();
    expect(answers.map(({ data }) => Object(data).debtors.nodes.length)).toEqual([1, 2]);
  }
  expect(bodies.at(-1)).not.toContain('query Names');
});

test('Apollo Client tries an array again that a busy gateway refuses as a whole', async () => {
  const busy = await freshGateway({ handler: { maxOperations: 0 } });
  const { link, bodies } = batchLink(busy.url);
  const retry = new RetryLink({ delay: { initial: 1 }, attempts: { max: 2 } });
  const client = new ApolloClient({ link: retry.concat(link), cache: new InMemoryCache() });
  await expect(client.query({ query: names(1) })).rejects.toThrow(ServerError);
  expect(bodies).toHaveLength(2);
});
