import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import type { CallRecord } from '../../src/rest/call-record.ts';
import { Observation, serverTiming } from '../../src/telemetry/observation.ts';
import type { ReadResponse } from '../library/support.ts';
import { stopClock } from '../support/clock.ts';
import { ADMINISTRATION } from '../support/gateway.ts';
import { LIST, useFetchGateway } from './support.ts';

let takeTime = () => {};
const useSlowEnd: Plugin = { onResponse: () => takeTime() };
const gateway = await useFetchGateway();
const caching = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });
const full = await useFetchGateway({ maxOperations: 0 });
const slow = await useFetchGateway({ plugins: [useSlowEnd] });

const TOTAL = /^total;dur=[\d.]+$/;
const timingOf = ({ headers }: ReadResponse) => headers.get('server-timing') ?? '';

function record(source: CallRecord['source']): CallRecord {
  const call = { method: 'GET', path: '/', parameters: {} };
  return { call, source, status: 200, milliseconds: 1, bytes: 1, rows: 1 };
}

describe('Server-Timing tells', () => {
  test.each([
    ['an operation without calls', [], /^total;dur=[\d.]+$/],
    ['one call', ['network'], /^rest;dur=12.3;desc="1 call", cache;desc=miss, total;dur=[\d.]+$/],
    ['two calls', ['network', 'network'], /^rest;dur=12.3;desc="2 calls", cache;desc=miss, /],
    ['a coalesced call', ['coalesced'], /^rest;dur=12.3;desc="0 calls", cache;desc=miss, /],
    ['a cache hit', ['cache'], /^rest;dur=12.3;desc="0 calls", cache;desc=hit, /],
    ['a cache hit beside a call', ['cache', 'network'], /^rest;dur=12.3;desc="1 call", cache;desc=partial, /],
  ] as const)('of %s', (_what, sources, header) => {
    const observed = new Observation('id', undefined);
    observed.addCalls(sources.map(record), 12.34);
    expect(serverTiming(observed)).toMatch(header);
  });

  test('of an operation', async () => {
    expect(timingOf(await gateway.post({ query: LIST }))).toMatch(
      /^rest;dur=[\d.]+;desc="1 call", cache;desc=miss, total;dur=[\d.]+$/,
    );
  });

  test('of an operation that is answered from a cache, once and again', async () => {
    await caching.post({ query: LIST });
    for (const _again of ['from its REST answers', 'as a whole'])
      expect(timingOf(await caching.post({ query: LIST }))).toMatch(/desc="0 calls", cache;desc=hit, total/);
  });

  test('of calls side by side, how long they took together', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 2 });
    const query = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } declarationLines(administrationId: "${ADMINISTRATION}", first: 1) { nodes { id } } }`;
    const [, rest = '', calls, total = ''] =
      /rest;dur=([\d.]+);desc="(\d) calls".*total;dur=([\d.]+)/.exec(
        timingOf(await gateway.post({ query })),
      ) ?? [];
    expect(calls).toBe('2');
    expect(Number(rest)).toBeGreaterThan(0);
    expect(Number(rest)).toBeLessThanOrEqual(Number(total));
  });

  test.each(['{ nonsense }', '{ a'])('of the document %s, which is not run', async (query) => {
    expect(timingOf(await gateway.post({ query }))).toMatch(TOTAL);
  });

  test('of a request that is rejected before', async () => {
    expect(timingOf(await gateway.post('[]'))).toMatch(TOTAL);
    expect(timingOf(await gateway.fetch({ method: 'PUT' }))).toMatch(TOTAL);
    expect(timingOf(await gateway.fetch({}, 'http://localhost/nothing'))).toMatch(TOTAL);
    expect(timingOf(await full.post({ query: LIST }))).toMatch(TOTAL);
  });

  test('of all that took time, plugins of users as well', async () => {
    const clock = stopClock();
    takeTime = () => clock.advance(5_000);
    expect(timingOf(await slow.post({ query: '{ __typename }' }))).toBe('total;dur=5000');
  });
});
