import type { Plugin } from 'graphql-yoga';
import { beforeEach, expect, test } from 'vitest';
import type { Observation } from '../../src/telemetry/observation.ts';
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts';
import { codesIn } from '../library/support.ts';
import { ADMINISTRATION, BEARER, OTHER_BEARER } from '../support/gateway.ts';
import { changeRow } from '../support/rest-pages.ts';
import { type FetchGateway, LIST, TYPENAME, useFetchGateway, WRITE } from './support.ts';

/** Of each answer: whether all of it was cached. */
const cached: boolean[] = [];
beforeEach(() => {
  cached.length = 0;
});
const telemetry = {
  ...NO_TELEMETRY,
  end(_request: object, _sent: object, { isCachedResponse }: Observation) {
    cached.push(isCachedResponse);
  },
};
const CACHING = { CACHE_TTL_MS: '60000' };
const trustedDocuments = new Map([['a1', LIST]]);
const NOTHING: Plugin = {};
const gateway = await useFetchGateway({}, CACHING, { telemetry });
const trusted = await useFetchGateway({ trustedDocuments }, CACHING, { telemetry });
const plugged = await useFetchGateway({ plugins: [NOTHING] }, CACHING, { telemetry });
const uncached = await useFetchGateway({}, {}, { telemetry });

const entries = ({ gateway: { stats } }: FetchGateway) => stats().caches.response?.entries;

/** A document of its own for each test, which none has cached yet. */
const named = (name: string) => LIST.replace('List', name);

test('an answer that came from cached REST answers is cached as a whole, byte by byte', async () => {
  const before = entries(gateway) ?? 0;
  gateway.rest.misbehave(changeRow(0, { name: 'Noëlle 😀 "Łódź"' }));
  const params = { query: named('Whole') };
  const answers = [];
  for (const _time of ['network', 'REST cache', 'response cache', 'again'])
    answers.push(await gateway.post(params));
  expect(cached).toEqual([false, false, true, true]);
  expect(entries(gateway)).toBe(before + 1);
  const [first, ...others] = answers.map(({ body, headers }) => [body.data, headers.get('content-type')]);
  for (const other of others) expect(other).toEqual(first);
  expect(answers[2]?.text).toBe(answers[1]?.text);
  expect(gateway.calls()).toHaveLength(1);
});

test('each operation, and each set of variables, has an answer of its own', async () => {
  const query = `query One($first: Int) { debtors(administrationId: "${ADMINISTRATION}", first: $first) { nodes { name } } } query Two { __typename }`;
  for (const _again of [1, 2, 3]) {
    const rows = async (first: number) =>
      (await gateway.post({ query, operationName: 'One', variables: { first } })).body.data;
    expect(await rows(1)).toMatchObject({ debtors: { nodes: { length: 1 } } });
    expect(await rows(3)).toMatchObject({ debtors: { nodes: { length: 3 } } });
    const other = await gateway.post({ query, operationName: 'Two', variables: { first: 1 } });
    expect(other.body.data).toEqual({ __typename: 'Query' });
  }
  expect(cached.slice(-3)).toEqual([true, true, false]);
});

test('callers are kept apart', async () => {
  const params = { query: named('Apart') };
  for (const _again of [1, 2, 3]) {
    expect(codesIn(await gateway.post(params, BEARER))).toEqual([]);
    expect(codesIn(await gateway.post(params, OTHER_BEARER))).toEqual(['FORBIDDEN']);
    expect(codesIn(await gateway.post(params, {}))).toEqual(['UNAUTHENTICATED']);
  }
  expect(cached.slice(-3)).toEqual([true, false, false]);
});

test('a write of the caller ends it', async () => {
  const params = { query: named('Written') };
  for (const _again of [1, 2, 3]) await gateway.post(params);
  const calls = gateway.calls().length;
  await gateway.post({ query: WRITE });
  await gateway.post(params);
  expect(cached.slice(2)).toEqual([true, false, false]);
  expect(gateway.calls()).toHaveLength(calls + 2);
});

test('who asks to bypass caches gets nothing of it', async () => {
  const params = { query: named('Bypassed') };
  for (const _again of [1, 2, 3]) await gateway.post(params);
  await gateway.post(params, { ...BEARER, 'cache-control': 'no-cache' });
  expect(cached.at(-1)).toBe(false);
});

test.each([
  ['a write', { query: WRITE }],
  ['what needs no call', { query: TYPENAME }],
  ['what has errors', { query: LIST.replace(ADMINISTRATION, '2001') }],
  ['a document that is not valid', { query: '{ nonsense }' }],
])('%s is not cached', async (_what, params) => {
  const before = entries(gateway);
  for (const _again of [1, 2, 3]) await gateway.post(params);
  expect(cached).toEqual([false, false, false]);
  expect(entries(gateway)).toBe(before);
});

test('a document of the list is found there by its hash', async () => {
  for (const _again of [1, 2, 3]) await trusted.post({ documentId: 'a1' });
  expect(cached).toEqual([false, false, true]);
  expect(codesIn(await trusted.post({ query: LIST }))).toEqual(['TRUSTED_DOCUMENT_REQUIRED']);
});

test('with plugins of users, which see every operation executed, nothing is cached as a whole', async () => {
  for (const _again of [1, 2, 3]) await plugged.post({ query: LIST });
  expect(cached).toEqual([false, false, false]);
  expect(entries(plugged)).toBe(0);
  expect(plugged.calls()).toHaveLength(1);
});

test('without a cache of REST answers there is none of whole ones', async () => {
  for (const _again of [1, 2, 3]) await uncached.post({ query: LIST });
  expect(cached).toEqual([false, false, false]);
  expect(uncached.calls()).toHaveLength(3);
});
