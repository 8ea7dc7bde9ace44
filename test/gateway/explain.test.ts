import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { BEARER, freshGateway } from '../support/gateway.ts';
import { DEBTORS } from '../support/operations.ts';
import { times } from '../support/times.ts';

const EXPLAINED = { ...BEARER, 'x-explain': 'true' };
const NETWORK = { method: 'GET', path: '/v1/debtors', source: 'network', milliseconds: expect.any(Number) };

describe('the REST calls of an answer', () => {
  test('are listed attempt by attempt, each with what became of it', async () => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ kind: 'status', status: 503 });
    gateway.rest.misbehave({ kind: 'reset' });
    const { extensions } = await gateway.query(DEBTORS, {}, EXPLAINED);
    expect(extensions.explain).toMatchObject([
      { ...NETWORK, status: 503, bytes: null, rows: null },
      { ...NETWORK, status: null, bytes: null, rows: null },
      { ...NETWORK, status: 200, bytes: expect.any(Number), rows: 3 },
    ]);
    expect(extensions.cost).toEqual({
      estimatedCalls: 1,
      calls: 3,
      cacheHits: 0,
      coalesced: 0,
    });
    expect(gateway.rest.calls).toHaveLength(3);
  });

  test('are listed where all attempts failed', async () => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ kind: 'status', status: 502, times: 3 });
    const { extensions } = await gateway.query(DEBTORS, {}, EXPLAINED);
    expect(extensions.explain).toMatchObject(times(3, () => ({ ...NETWORK, status: 502 })));
    expect(gateway.rest.calls).toHaveLength(3);
  });

  test('never outnumber MAX_CALLS, retries included', async () => {
    const gateway = await freshGateway({ gateway: { maxCalls: 4 } });
    gateway.rest.misbehave({ kind: 'status', status: 503, times: 100 });
    const lists = ['debtors', 'declarationLines', 'deletedPayments'].map(
      (list) => `${list}(administrationId: "1001", first: 1) { nodes { internalId } }`,
    );
    const answer = await gateway.query(`{ ${lists.join(' ')} }`, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual(times(3, () => 'UPSTREAM_UNAVAILABLE'));
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 3, calls: 4 });
    expect(answer.extensions.explain).toMatchObject(times(4, () => ({ source: 'network', status: 503 })));
    expect(gateway.rest.calls).toHaveLength(4);
  });

  test('leave out what a circuit breaker kept from being sent', async () => {
    const gateway = await freshGateway();
    const headers = { 'retry-after': '30' };
    gateway.rest.misbehave({ kind: 'status', status: 503, headers, times: 100 });
    const listed: number[] = [];
    for (const _ of times(25, () => 0)) {
      const sent = gateway.rest.calls.length;
      const { extensions } = await gateway.query(DEBTORS, {}, EXPLAINED);
      listed.push(extensions.explain?.length ?? -1);
      expect(extensions.explain).toHaveLength(gateway.rest.calls.length - sent);
      expect(extensions.cost).toMatchObject({ calls: gateway.rest.calls.length - sent });
    }
    expect(listed).toContain(0);
  });

  test('that shared one under way are coalesced', async () => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 200 });
    const answers = await Promise.all(times(2, () => gateway.query(DEBTORS, {}, EXPLAINED)));
    const sources = answers.map(({ extensions }) => extensions.explain);
    expect(sources).toHaveLength(2);
    expect(sources).toEqual(
      expect.arrayContaining([
        [expect.objectContaining({ source: 'network' })],
        [expect.objectContaining({ source: 'coalesced', status: null })],
      ]),
    );
    expect(gateway.rest.calls).toHaveLength(1);
  });
});
