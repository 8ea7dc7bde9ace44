import { describe, expect, test } from 'vitest';
import { serverTiming } from '../../src/plugins/server-timing.ts';
import type { CallRecord } from '../../src/rest/call-record.ts';
import { Observation } from '../../src/telemetry/observation.ts';
import { ADMINISTRATION, freshGateway, useGateway } from '../support/gateway.ts';

const gateway = await useGateway();
const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;

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
    observed.setCalls(sources.map(record), 12.34);
    expect(serverTiming(observed)).toMatch(header);
  });

  test('of an operation, over HTTP', async () => {
    const { headers } = await gateway.query(LIST);
    expect(headers.get('server-timing')).toMatch(
      /^rest;dur=[\d.]+;desc="1 call", cache;desc=miss, total;dur=[\d.]+$/,
    );
  });

  test('of calls side by side, how long they took together', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 2 });
    const query = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } declarationLines(administrationId: "${ADMINISTRATION}", first: 1) { nodes { id } } }`;
    const timing = (await gateway.query(query)).headers.get('server-timing') ?? '';
    const [, rest = '', calls, total = ''] =
      /rest;dur=([\d.]+);desc="(\d) calls".*total;dur=([\d.]+)/.exec(timing) ?? [];
    expect(calls).toBe('2');
    expect(Number(rest)).toBeGreaterThan(0);
    expect(Number(rest)).toBeLessThanOrEqual(Number(total));
  });

  test.each(['{ nonsense }', '{ a'])('of the document %s, which is not run', async (query) => {
    expect((await gateway.query(query)).headers.get('server-timing')).toMatch(/^total;dur=[\d.]+$/);
  });

  test('of a request that is rejected before', async () => {
    expect((await gateway.post('[]')).headers.get('server-timing')).toMatch(/^total;dur=[\d.]+$/);
    const busy = await freshGateway({ handler: { maxOperations: 0 } });
    expect((await busy.query(LIST)).headers.get('server-timing')).toMatch(/^total;dur=[\d.]+$/);
  });
});
