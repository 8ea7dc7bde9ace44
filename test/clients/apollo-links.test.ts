import { createHash } from 'node:crypto';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ServerError } from '@apollo/client/errors';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { RetryLink } from '@apollo/client/link/retry';
import { parse } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { BEARER, freshGateway, useGateway } from '../support/gateway.ts';

const gateway = await useGateway();

/** Summarizes a request: its method, and whether it has a text and a hash. */
const sent: string[] = [];
beforeEach(() => {
  sent.length = 0;
});
const observed: typeof fetch = (input, init) => {
  const { method = 'GET', body } = init ?? {};
  const text = String(body ?? decodeURIComponent(String(input))).replaceAll('+', ' ');
  const parts = [/query ?Names/.test(text) && 'text', text.includes('sha256Hash') && 'hash'];
  sent.push([method, ...parts].filter(Boolean).join(' '));
  return fetch(input, init);
};
const options = { headers: BEARER, fetch: observed };

const digest = (algorithm: string) => (text: string) => createHash(algorithm).update(text).digest('hex');
const names = (first: number) =>
  parse(`query Names${first} { debtors(administrationId: "1001", first: ${first}) { nodes { id name } } }`);

function asking(link: HttpLink | PersistedQueryLink | BatchHttpLink) {
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  return async (first: number) => {
    const { data } = await client.query<{ debtors: { nodes: object[] } }>({
      query: names(first),
      fetchPolicy: 'network-only',
    });
    return data?.debtors.nodes.length;
  };
}

test('Apollo Client retries an operation that a busy gateway rejected', async () => {
  const busy = await freshGateway({ handler: { maxOperations: 0 } });
  const http = new HttpLink({ uri: busy.url, ...options });
  const link = new RetryLink({ delay: { initial: 1 }, attempts: { max: 3 } }).concat(http);
  await expect(asking(link)(1)).rejects.toThrow(ServerError);
  expect(sent).toHaveLength(3);
});

const batch = (uri: string, batchMax = 10) =>
  new BatchHttpLink({ uri, ...options, batchInterval: 20, batchMax });

test('Apollo Client with the batch link sends hashes in arrays, and registers unknown ones', async () => {
  const { url } = await freshGateway();
  const ask = asking(new PersistedQueryLink({ sha256: digest('sha256') }).concat(batch(url)));
  for (const _round of ['register', 'find']) expect(await Promise.all([ask(1), ask(2)])).toEqual([1, 2]);
  expect(sent).toEqual(['POST hash', 'POST text hash', 'POST hash']);
});

describe('Apollo Client with the link for persisted queries', () => {
  function persisted({ useGETForHashedQueries = false, sha256 = digest('sha256') } = {}) {
    const target = { url: gateway.url };
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries });
    return { target, ask: asking(link.concat(new HttpLink({ uri: () => target.url, ...options }))) };
  }

  test.each([
    ['POST', false],
    ['GET', true],
  ])('registers a document once at each gateway, then sends its hash (%s)', async (method, useGet) => {
    const { target, ask } = persisted({ useGETForHashedQueries: useGet });
    for (const _gateway of [1, 2]) {
      target.url = (await freshGateway({ over: gateway.rest })).url;
      sent.length = 0;
      expect([await ask(1), await ask(1), await ask(1)]).toEqual([1, 1, 1]);
      expect(sent).toEqual([`${method} hash`, 'POST text hash', `${method} hash`, `${method} hash`]);
    }
  });

  test('sends texts after the gateway rejected another kind of hash', async () => {
    const { ask } = persisted({ sha256: digest('sha1') });
    expect([await ask(1), await ask(2)]).toEqual([1, 2]);
    expect(sent).toEqual(['POST hash', 'POST text', 'POST text']);
  });
});
