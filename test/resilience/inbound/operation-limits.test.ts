import { describe, expect, test } from 'vitest';
import { Places } from '../../../src/limits/places.ts';
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
    const gateway = await freshGateway({ handler: { maxOperations: 8 } });
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
});

describe('of the places', () => {
  const SHARES = { credential: 1 / 4, address: 1 / 8 };

  test.each([
    ['credential', 256, 64],
    ['192.0.2.1', 256, 32],
    ['credential', 1, 1],
  ])('%s gets a part', (owner, limit, expected) => {
    const places = new Places(limit, SHARES);
    const releases = times(300, () => places.admit(owner)).filter(Boolean);
    expect(releases).toHaveLength(expected);
    if (limit > 1) expect(places.admit('another')).toBeDefined();
    // Each counts once, however often it is released.
    for (const release of [...releases, ...releases]) release?.();
    expect(places.held).toBe(limit > 1 ? 1 : 0);
  });

  test('none is given while memory is short', () => {
    let now = 0;
    const places = new Places(8, SHARES, () => now);
    places.close(1_000);
    expect(places.admit('a')).toBeUndefined();
    now = 1_000;
    expect(places.admit('a')).toBeDefined();
  });

  test('one caller that has used up its part does not make the process unready', () => {
    let now = 0;
    const places = new Places(16, SHARES, () => now);
    while (places.admit('greedy'));
    now = 6_000;
    expect([places.admit('greedy'), places.isStuck()]).toEqual([undefined, false]);
  });

  test('if all are taken for more than five seconds, the process is not ready', () => {
    let now = 0;
    const places = new Places(2, SHARES, () => now);
    const [release] = ['a', 'b'].map((owner) => places.admit(owner));
    expect([places.admit('c'), places.isStuck()]).toEqual([undefined, false]);
    now = 5_001;
    expect([places.admit('c'), places.isStuck()]).toEqual([undefined, true]);
    release?.();
    expect(places.isStuck()).toBe(false);
  });
});
