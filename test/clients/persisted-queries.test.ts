import { createHash } from 'node:crypto';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { BEARER, freshGateway, useGateway } from '../support/gateway.ts';

const gateway = await useGateway();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Sent {
  readonly method: string;
  readonly hasText: boolean;
  readonly hasHash: boolean;
}

/** Apollo Client with its own link for persisted queries, and what it sends. */
function apollo({ useGet = false, url = gateway.url, hash = sha256 } = {}) {
  const sent: Sent[] = [];
  const http = new HttpLink({
    uri: () => address,
    headers: BEARER,
    fetch(input, init) {
      const { method = 'GET', body } = init ?? {};
      const text = typeof body === 'string' ? body : decodeURIComponent(String(input));
      sent.push({
        method,
        hasText: /\bquery ?Names/.test(text.replaceAll('+', ' ')),
        hasHash: text.includes('sha256Hash'),
      });
      return fetch(input, init);
    },
  });
  let address = url;
  const persisted = new PersistedQueryLink({ sha256: hash, useGETForHashedQueries: useGet });
  const client = new ApolloClient({ link: persisted.concat(http), cache: new InMemoryCache() });
  return {
    sent,
    moveTo: (other: string) => {
      address = other;
    },
    ask: async (first: number) => {
      const query = parse(
        'query Names($first: Int) { debtors(administrationId: "1001", first: $first) { nodes { id name } } }',
      );
      const { data } = await client.query<{ debtors: { nodes: object[] } }>({
        query,
        variables: { first },
        fetchPolicy: 'network-only',
      });
      return data?.debtors.nodes.length;
    },
  };
}

const HASH = { hasText: false, hasHash: true };
const BOTH = { hasText: true, hasHash: true };

test.each([
  ['POST', false],
  ['GET', true],
])('Apollo Client registers a document once, and then sends its hash alone (%s)', async (method, useGet) => {
  const { url } = await freshGateway();
  const { ask, sent } = apollo({ useGet, url });
  expect(await ask(1)).toBe(1);
  expect(sent.slice(0, 2)).toEqual([
    { method, ...HASH },
    { method: 'POST', ...BOTH },
  ]);
  // The service has accepted the credential by now, so that it has a share of its own, and registers once more.
  await ask(1);
  sent.length = 0;
  expect([await ask(2), await ask(3)]).toEqual([2, 3]);
  expect(sent).toEqual([
    { method, ...HASH },
    { method, ...HASH },
  ]);
});

test('Apollo Client registers its documents again at another gateway', async () => {
  const other = await freshGateway({ over: gateway.rest });
  const { ask, sent, moveTo } = apollo();
  await ask(1);
  await ask(1);
  moveTo(other.url);
  sent.length = 0;
  expect(await ask(2)).toBe(2);
  expect(sent).toEqual([
    { method: 'POST', ...HASH },
    { method: 'POST', ...BOTH },
  ]);
});

test('Apollo Client with a hash of another kind sends texts from then on', async () => {
  const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
  const { ask, sent } = apollo({ hash: sha1 });
  expect([await ask(1), await ask(2)]).toEqual([1, 2]);
  expect(sent).toEqual([
    { method: 'POST', ...HASH },
    { method: 'POST', hasText: true, hasHash: false },
    { method: 'POST', hasText: true, hasHash: false },
  ]);
});
