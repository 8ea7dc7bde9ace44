import { describe, expect, test } from 'vitest';
import { createBreaker } from '../../src/rest/client/breaker.ts';
import { RestError } from '../../src/rest/errors.ts';
import { comesFrom } from '../support/addresses.ts';
import { times } from '../support/times.ts';

const upstream = { method: 'GET', path: '/v1/debtors' };
const DOWN = new RestError('UPSTREAM_UNAVAILABLE', 'down', {
  upstream: { ...upstream, status: 503 },
  fault: 'status_5xx',
});
const LATE = new RestError('UPSTREAM_TIMEOUT', 'late', { upstream });
const REFUSED = new RestError('NOT_FOUND', 'none', { upstream: { ...upstream, status: 404 } });
const LEFT = new RestError('UPSTREAM_UNAVAILABLE', 'left');

/** A breaker with a clock of its own. */
function start() {
  const clock = { time: 0 };
  const changes: unknown[] = [];
  const breaker = createBreaker({ now: () => clock.time, onChange: (change) => changes.push(change) });
  for (const owner of ['a', 'b', 'c', 'd']) comesFrom(`10.0.0.${owner}`, owner);
  const call = (owner: string, error?: RestError) => breaker.end(breaker.begin(owner), error);
  const fail = (owner: string, times = 1, error = DOWN) => {
    for (let count = 0; count < times; count += 1) call(owner, error);
  };
  const isOpenFor = (owner: string) => {
    try {
      breaker.check(owner);
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1 });
      return true;
    }
  };
  return { clock, breaker, changes, call, fail, isOpenFor };
}

/** Opens it for all, by two owners. */
function startOpen() {
  const started = start();
  started.fail('a', 10);
  started.fail('b', 10);
  return started;
}

describe('failures in a row', () => {
  test('of one owner open it for that owner alone', () => {
    const { breaker, fail, isOpenFor } = start();
    fail('a', 19);
    expect(isOpenFor('a')).toBe(false);
    fail('a');
    expect([isOpenFor('a'), isOpenFor('b'), breaker.isOpenForAll()]).toEqual([true, false, false]);
  });

  test('of two owners open it for all', () => {
    const { breaker, isOpenFor } = startOpen();
    expect([isOpenFor('a'), isOpenFor('b'), isOpenFor('c'), breaker.isOpenForAll()]).toEqual(
      Array(4).fill(true),
    );
  });

  test('of many owners open it for all', () => {
    const { breaker, fail } = start();
    for (let owner = 0; owner < 20; owner += 1) fail(`owner ${owner}`);
    expect(breaker.isOpenForAll()).toBe(true);
  });

  test('of one owner do not open it for all with a few of another', () => {
    const { breaker, fail, isOpenFor } = start();
    fail('a', 20);
    fail('b', 9);
    expect([isOpenFor('a'), isOpenFor('b'), breaker.isOpenForAll()]).toEqual([true, false, false]);
    fail('b');
    expect(breaker.isOpenForAll()).toBe(true);
  });

  test.each([
    ['a success', undefined],
    ['a 404', REFUSED],
  ])('end with %s of any owner', (_what, error) => {
    const { call, fail, isOpenFor } = start();
    fail('a', 20);
    call('b', error);
    expect(isOpenFor('a')).toBe(false);
    fail('a', 19);
    expect(isOpenFor('a')).toBe(false);
  });

  test('do not open it for all if others got a response while those calls were under way', () => {
    const { clock, breaker, call, fail, isOpenFor } = start();
    const slow = ['a', 'b', 'c'].flatMap((owner) => times(10, () => breaker.begin(owner)));
    call('d');
    clock.time = 5000;
    for (const begun of slow) breaker.end(begun, LATE);
    expect(isOpenFor('d')).toBe(false);
    fail('b', 10);
    expect([isOpenFor('a'), isOpenFor('b'), breaker.isOpenForAll()]).toEqual([false, true, false]);
  });

  test('of owners of one address open it for that address', () => {
    const { breaker, changes, fail, isOpenFor } = start();
    comesFrom('10.0.0.1', 'a', 'b', 'c');
    fail('a', 8);
    fail('b', 8);
    fail('c', 4);
    expect([isOpenFor('a'), isOpenFor('c'), isOpenFor('d'), breaker.isOpenForAll()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    // Who has no credential there is one more owner of it, and whose failures are its own.
    expect([isOpenFor('10.0.0.1'), changes]).toEqual([
      true,
      [{ state: 'open', heldBack: 'address', fault: 'status_5xx' }],
    ]);
    fail('d', 9);
    expect(breaker.isOpenForAll()).toBe(false);
    fail('d');
    expect(breaker.isOpenForAll()).toBe(true);
  });

  test('of an address without credentials do not open it for the credentials there', () => {
    const { fail, isOpenFor } = start();
    fail('10.0.0.a', 20);
    expect([isOpenFor('10.0.0.a'), isOpenFor('a')]).toEqual([true, false]);
  });

  test('open it for their owners alone as long as the endpoint has just responded', () => {
    const { clock, breaker, call, fail, isOpenFor } = start();
    call('d');
    clock.time = 999;
    fail('a', 20);
    fail('b', 20);
    expect([isOpenFor('b'), isOpenFor('c'), breaker.isOpenForAll()]).toEqual([true, false, false]);
    clock.time = 1000;
    fail('c');
    expect(breaker.isOpenForAll()).toBe(true);
  });

  test('neither end nor grow by a call that was cancelled', () => {
    const { call, fail, isOpenFor } = start();
    fail('a', 19);
    for (let count = 0; count < 30; count += 1) call('a', LEFT);
    expect(isOpenFor('a')).toBe(false);
    fail('a');
    expect(isOpenFor('a')).toBe(true);
  });
});

test('each change is told, also that of one owner', () => {
  const { breaker, changes, fail } = start();
  const opened = (heldBack: string) => ({ state: 'open', heldBack, fault: 'status_5xx' });
  fail('a', 20);
  expect([breaker.state(), changes]).toEqual(['open', [opened('one')]]);
  fail('b', 10);
  expect([breaker.state(), changes]).toEqual(['open', [opened('one'), opened('all')]]);
  const other = start();
  other.fail('a', 20);
  other.call('b');
  expect([other.breaker.state(), other.changes]).toEqual(['closed', [opened('one'), { state: 'closed' }]]);
});

describe('after the pause', () => {
  test('a single call probes, under a deadline of its own', () => {
    const { clock, breaker, isOpenFor } = startOpen();
    clock.time = 999;
    expect(isOpenFor('c')).toBe(true);
    clock.time = 1000;
    expect(breaker.begin('c').circuit).toMatchObject({ probeMs: 2000 });
    expect([isOpenFor('a'), isOpenFor('c')]).toEqual([true, true]);
  });

  test('a probe that is answered closes it', () => {
    const { clock, breaker, call, isOpenFor } = startOpen();
    clock.time = 1000;
    call('c');
    expect([isOpenFor('a'), isOpenFor('c'), breaker.isOpenForAll()]).toEqual([false, false, false]);
    expect(breaker.begin('a').circuit).toBeUndefined();
  });

  test('a probe that fails starts another pause', () => {
    const { clock, call, isOpenFor } = startOpen();
    clock.time = 1000;
    call('c', DOWN);
    clock.time = 1999;
    expect(isOpenFor('d')).toBe(true);
    clock.time = 2000;
    expect(isOpenFor('d')).toBe(false);
  });

  test('a probe that is cancelled is followed by another at once', () => {
    const { clock, call, isOpenFor } = startOpen();
    clock.time = 1000;
    call('c', LEFT);
    expect(isOpenFor('d')).toBe(false);
  });

  test('an owner whose probe failed waits twice as long, so that others probe in between', () => {
    const { clock, call, isOpenFor } = startOpen();
    clock.time = 1000;
    call('a', DOWN);
    clock.time = 2000;
    expect([isOpenFor('a'), isOpenFor('c')]).toEqual([true, false]);
    clock.time = 3000;
    expect(isOpenFor('a')).toBe(false);
  });

  test('all of an address whose probe failed wait as long, so that others probe in between', () => {
    const { clock, call, isOpenFor } = startOpen();
    comesFrom('10.0.0.a', 'b');
    clock.time = 1000;
    call('a', DOWN);
    clock.time = 2000;
    expect([isOpenFor('b'), isOpenFor('c')]).toEqual([true, false]);
    call('c', DOWN);
    clock.time = 3000;
    expect([isOpenFor('a'), isOpenFor('b'), isOpenFor('c'), isOpenFor('d')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    clock.time = 4000;
    expect(isOpenFor('b')).toBe(false);
  });

  test('a probe that takes long holds no other back', () => {
    const { clock, breaker, call, isOpenFor } = startOpen();
    clock.time = 1000;
    const slow = breaker.begin('a');
    clock.time = 2000;
    expect([isOpenFor('a'), isOpenFor('c'), breaker.state()]).toEqual([true, false, 'half-open']);
    call('c');
    expect(breaker.state()).toBe('closed');
    breaker.end(slow, LATE);
    expect(breaker.state()).toBe('closed');
  });

  test('an owner for whom alone it is open probes each second', () => {
    const { clock, call, fail, isOpenFor } = start();
    fail('a', 20);
    for (let second = 1; second < 5; second += 1) {
      clock.time = 1000 * second;
      expect(isOpenFor('a')).toBe(false);
      call('a', DOWN);
      expect(isOpenFor('a')).toBe(true);
    }
  });

  test('after a probe that took too long the next one has twice the time, since slow is not down', () => {
    const { clock, breaker } = startOpen();
    const given: (number | undefined)[] = [];
    for (const owner of ['a', 'b', 'c', 'd']) {
      clock.time += 1000;
      const probe = breaker.begin(owner);
      given.push(probe.circuit?.probeMs);
      breaker.end(probe, owner === 'b' ? DOWN : LATE);
    }
    expect(given).toEqual([2000, 4000, 4000, 8000]);
  });
});
