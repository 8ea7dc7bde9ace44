import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { useExplain } from '../../src/gateway/plugins/use-explain.ts';
import { BEARER } from '../support/gateway.ts';
import { DEBTORS } from '../support/operations.ts';
import { times } from '../support/times.ts';
import { TYPENAME, useFetchGateway } from './support.ts';

const EXPLAINED = { ...BEARER, 'x-explain': 'true' };

const caching = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });

test('what was read before is told as such, each time anew', async () => {
  const sources = [];
  for (const _time of ['network', 'REST cache', 'REST cache again'] as const) {
    const { body } = await caching.post({ query: DEBTORS }, EXPLAINED);
    sources.push([body.extensions?.cost, body.extensions?.explain]);
  }
  const hit = [
    { estimatedCalls: 1, calls: 0, cacheHits: 1, coalesced: 0 },
    [{ method: 'GET', path: '/v1/debtors', source: 'cache' }],
  ];
  expect(sources).toMatchObject([[{ calls: 1, cacheHits: 0 }, [{ source: 'network' }]], hit, hit]);
  expect(caching.calls()).toHaveLength(1);
});

test('the calls are shown to those alone who ask for them, and the cost to all', async () => {
  for (const value of ['', '1', 'TRUE', 'false']) {
    const { body } = await caching.post({ query: DEBTORS }, { ...BEARER, 'x-explain': value });
    expect(Object.keys(body.extensions ?? {})).toEqual(['cost']);
  }
});

test('the fields of a call are shown as JSON, and its credential is not', async () => {
  const { body, text } = await caching.post({ query: DEBTORS }, EXPLAINED);
  expect(body.extensions?.explain).toMatchObject([
    { parameters: { fields: { only: ['id', 'administration_id', 'name'] } } },
  ]);
  expect(text).not.toContain(BEARER.authorization.slice('Bearer '.length));
});

test.each(['{', '{ nonsense }', 'query ($id: ID!) { node(id: $id) { id } }'])(
  'what is not executed has no cost: %s',
  async (query) => {
    expect((await caching.post({ query }, EXPLAINED)).body.extensions).toBeUndefined();
  },
);

let extensions: object | undefined;
const useExtensions: Plugin = {
  onExecute: () => ({
    onExecuteDone({ result, setResult }) {
      if (!(Symbol.asyncIterator in result)) setResult({ ...result, extensions: { cost: 'mine', other: 1 } });
    },
  }),
  onExecutionResult({ result }) {
    extensions = result && 'extensions' in result ? result.extensions : undefined;
  },
};
const extended = await useFetchGateway({ plugins: [useExtensions] });

test('what plugins of users add stays, and they may say the cost themselves', async () => {
  const { body } = await extended.post({ query: TYPENAME }, EXPLAINED);
  expect(body.extensions).toEqual({ cost: 'mine', other: 1, explain: [] });
  // It stands behind them.
  expect(extensions).toEqual({ cost: 'mine', other: 1 });
});

test('of thousands of calls, the first are shown, and all are counted', () => {
  const call = { method: 'GET', path: '/v1/debtors', parameters: {} };
  const serverContext = {
    executed: { estimatedCalls: 1 },
    rest: { calls: times(3_000, () => ({ call, source: 'cache' })) },
    headers: EXPLAINED,
  };
  let extensions: { readonly cost?: unknown; readonly explain?: readonly unknown[] } | undefined;
  const setResult = (result: { readonly extensions: typeof extensions }) => {
    extensions = result.extensions;
  };
  // Only a token of thousands of administrations has so many.
  useExplain().onResultProcess?.({ result: { data: {} }, setResult, serverContext } as never);
  expect(extensions?.cost).toMatchObject({ calls: 0, cacheHits: 3_000 });
  expect(extensions?.explain).toHaveLength(500);
});
