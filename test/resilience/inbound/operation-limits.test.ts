import { describe, expect, test } from 'vitest';
import { createAdmission } from '../../../src/limits/fair-share.ts';
import { codesOf } from '../../support/answers.ts';
import { disconnectDuring } from '../../support/disconnect.ts';
import { eventually } from '../../support/eventually.ts';
import { BEARER, freshGateway, OTHER_BEARER } from '../../support/gateway.ts';
import { DEBTORS, debtors } from '../../support/operations.ts';
import { exchange, openConnection, STALLED_BODY } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';

const OTHER_DEBTORS = DEBTORS.replace('1001', '2001');

describe('beyond the operations that may be under way', () => {
  test('an operation is refused while the others still run, and a caller with a share left is answered', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 3 } });
    // Callers that the service knows; unknown ones would count as one.
    for (const headers of [BEARER, OTHER_BEARER]) await gateway.query(DEBTORS, {}, headers);
    await gateway.query(OTHER_DEBTORS, {}, OTHER_BEARER);
    gateway.rest.calls.length = 0;
    const { promise: until, resolve } = withResolver();
    gateway.rest.misbehave({ kind: 'stale', until, times: 2 });
    const inside = times(2, (index) => gateway.query(debtors(index)));
    await eventually(() => expect(gateway.rest.calls).toHaveLength(2));

    const refused = await gateway.query(DEBTORS);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(codesOf(refused)).toEqual(['OVERLOADED']);
    expect(refused.errors?.[0]?.extensions.requestId).toBe(refused.headers.get('x-request-id'));
    expect((await fetch(new URL('/health', gateway.url))).status).toBe(200);
    expect(codesOf(await gateway.query(OTHER_DEBTORS, {}, OTHER_BEARER))).toEqual([]);

    resolve();
    expect((await Promise.all(inside)).map(codesOf)).toEqual([[], []]);
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(4);
  });

  test('each of 60 operations is answered or refused', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 10 } });
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 20, times: 1e6 });
    const answers = await Promise.all(times(60, (index) => gateway.query(debtors(index))));
    const outcomes = new Set(answers.map(({ status }) => status));
    expect([...outcomes].every((status) => status === 200 || status === 503)).toBe(true);
    expect(answers.filter(({ status }) => status === 200).flatMap(codesOf)).toEqual([]);
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  });
});

describe('a place among the operations under way', () => {
  test('is free again after a disconnect', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 1 } });
    gateway.rest.misbehave({ kind: 'hang' });
    await disconnectDuring(gateway, { query: DEBTORS });
    await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
  });

  test('is free again after a refused request', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 1 } });
    for (const body of ['{', '[]', '{}', '{"query":"{"}', '{"query":"{ x }"}']) {
      expect((await gateway.post(body)).status).toBeLessThan(500);
    }
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  });

  test('is free again after an operation, whatever ends it', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 1 } });
    gateway.rest.misbehave({ kind: 'reset', times: 10 });
    for (const query of [DEBTORS, '{ nonsense }', '{', 'query A { __typename } query B { __typename }']) {
      expect((await gateway.query(query)).status).toBeLessThan(500);
    }
    gateway.rest.behave();
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  });

  test('is free again after a body that was cut', async () => {
    const gateway = await freshGateway({
      handler: { maxOperations: 1 },
      listen: { headersTimeoutMs: 50, requestTimeoutMs: 100 },
    });
    await exchange(gateway.url, STALLED_BODY);
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  });

  test('is not taken by a body that is still on its way', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 1 } });
    for (let count = 0; count < 3; count += 1) await openConnection(gateway.url, STALLED_BODY);
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  });

  test('goes to one caller for at most half of them', () => {
    const admission = createAdmission(8);
    const admitted = times(10, () => admission.tryAdmit('greedy'));
    expect(admitted.filter(Boolean)).toHaveLength(4);
    expect([admission.tryAdmit('quiet'), admission.tryAdmit('other')]).toEqual([true, true]);
  });

  test('goes to addresses for at most three quarters of them, however many there are', () => {
    const admission = createAdmission(8);
    const strangers = times(20, (index) => `10.0.0.${index}`);
    const admitted = strangers.filter((address) => admission.tryAdmit(address));
    expect(admitted).toHaveLength(6);
    expect(admission.tryAdmit('credential')).toBe(true);
    for (const address of strangers) admission.release(address);
    expect(strangers.filter((address) => admission.tryAdmit(address))).toHaveLength(6);
  });
});

test('a process that admits nothing for more than five seconds, though asked, is not ready', () => {
  let now = 0;
  const admission = createAdmission(2, () => now);
  admission.tryAdmit('a');
  admission.tryAdmit('b');
  now = 6_000;
  expect(admission.isStuck()).toBe(false);
  expect(admission.tryAdmit('c')).toBe(false);
  expect(admission.isStuck()).toBe(true);
  admission.release('a');
  expect(admission.isStuck()).toBe(false);
  admission.tryAdmit('c');
  expect(admission.tryAdmit('c')).toBe(false);
  now = 10_000;
  expect(admission.isStuck()).toBe(false);
  now = 12_000;
  expect(admission.isStuck()).toBe(true);
});
