import { describe, expect, test } from 'vitest';
import { createAdmission } from '../../../src/limits/fair-share.ts';
import { comesFrom } from '../../support/addresses.ts';
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
    const gateway = await freshGateway({ handler: { maxOperations: 4 } });
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
    const admitted = times(10, () => admission.admit('greedy'));
    expect(admitted.filter(Boolean)).toHaveLength(4);
    expect(['quiet', 'other'].filter((owner) => admission.admit(owner))).toHaveLength(2);
  });

  test('goes to addresses for at most three quarters of them, however many there are', () => {
    const admission = createAdmission(8);
    const strangers = times(20, (index) => `10.0.0.${index}`);
    const admit = () => strangers.map((address) => admission.admit(address)).filter(Boolean);
    const admitted = admit();
    expect(admitted).toHaveLength(6);
    expect(admission.admit('credential')).toBeDefined();
    // Each counts once, however often it is released.
    for (const release of [...admitted, ...admitted]) release?.();
    expect(admission.inFlight()).toBe(1);
    expect(admit()).toHaveLength(6);
  });

  test('goes to one address for at most seven eighths of them, however many credentials it has', () => {
    const admission = createAdmission(16);
    const tokens = times(20, (index) => `token${index}ofOne`);
    comesFrom('10.0.0.1', ...tokens);
    comesFrom('10.0.0.2', 'other');
    const admit = () => tokens.map((token) => admission.admit(token)).filter(Boolean);
    const admitted = admit();
    expect(admitted).toHaveLength(14);
    expect(admission.admit('other')).toBeDefined();
    // What it held counts no more, wherever its credentials are by then.
    comesFrom('10.0.0.3', ...tokens);
    for (const release of admitted) release?.();
    comesFrom('10.0.0.1', ...tokens);
    expect(admit()).toHaveLength(13);
  });
});

test.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [256, 224],
])('of %i places, one address gets %i', (places, expected) => {
  const admission = createAdmission(places);
  const tokens = times(300, (index) => `token${index}`);
  comesFrom('10.0.0.1', ...tokens);
  expect(tokens.filter((token) => admission.admit(token))).toHaveLength(expected);
});

test('a caller that has used up its share does not make the process unready', () => {
  let now = 0;
  const admission = createAdmission(16, () => now);
  while (admission.admit('greedy'));
  now = 6_000;
  expect([admission.admit('greedy'), admission.isStuck()]).toEqual([undefined, false]);
});

test('a process that admits nothing for more than five seconds, though asked, is not ready', () => {
  let now = 0;
  const admission = createAdmission(2, () => now);
  for (const owner of ['a', 'b', 'c']) comesFrom(`10.0.0.${owner}`, owner);
  const release = admission.admit('a');
  admission.admit('b');
  now = 6_000;
  expect(admission.isStuck()).toBe(false);
  expect(admission.admit('c')).toBeUndefined();
  expect(admission.isStuck()).toBe(true);
  release?.();
  expect(admission.isStuck()).toBe(false);
  admission.admit('c');
  expect(admission.admit('c')).toBeUndefined();
  now = 10_000;
  expect(admission.isStuck()).toBe(false);
  now = 12_000;
  expect(admission.isStuck()).toBe(true);
});
