import { describe, expect, test } from 'vitest';
import { Places } from '../../../src/limits/places.ts';
import { codesOf } from '../../support/answers.ts';
import { stopClock } from '../../support/clock.ts';
import { disconnectDuring } from '../../support/disconnect.ts';
import { eventually } from '../../support/eventually.ts';
import { BEARER, freshGateway, OTHER_BEARER } from '../../support/gateway.ts';
import { DEBTORS, debtors } from '../../support/operations.ts';
import { openConnection, STALLED_BODY } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';

const OTHER_DEBTORS = DEBTORS.replace('1001', '2001');

test('beyond the operations that may be under way one is refused, and a caller with a share left is answered', async () => {
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

test('a place among the operations under way is free again, whatever ends an operation', async () => {
  const gateway = await freshGateway({ handler: { maxOperations: 1 } });
  // A body that is still on its way takes none.
  for (let count = 0; count < 3; count += 1) await openConnection(gateway.url, STALLED_BODY);
  for (const body of ['{', '[]', '{}', '{"query":"{"}', '{"query":"{ x }"}'])
    expect((await gateway.post(body)).status).toBeLessThan(500);
  gateway.rest.misbehave({ kind: 'reset', times: 10 });
  for (const query of [DEBTORS, '{ nonsense }', '{', 'query A { __typename } query B { __typename }'])
    expect((await gateway.query(query)).status).toBeLessThan(500);
  gateway.rest.behave();
  gateway.rest.calls.length = 0;
  gateway.rest.misbehave({ kind: 'hang' });
  await disconnectDuring(gateway, { query: DEBTORS });
  await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
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
    const { advance } = stopClock();
    const places = new Places(8, SHARES);
    places.close(1_000);
    expect(places.admit('a')).toBeUndefined();
    advance(1_000);
    expect(places.admit('a')).toBeDefined();
  });

  test('if all are taken for more than five seconds, the process is not ready', () => {
    const { advance } = stopClock();
    const places = new Places(2, SHARES);
    const [release] = ['a', 'b'].map((owner) => places.admit(owner));
    expect([places.admit('c'), places.isStuck()]).toEqual([undefined, false]);
    advance(5_001);
    expect([places.admit('c'), places.isStuck()]).toEqual([undefined, true]);
    release?.();
    // One caller that has used up its part does not do that.
    expect([places.admit('b'), places.isStuck()]).toEqual([undefined, false]);
  });
});
