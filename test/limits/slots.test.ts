import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { SlotPool } from '../../src/limits/slots.ts';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { times } from '../support/times.ts';
import { nextTurns } from '../support/turns.ts';

const ADDRESS = '192.0.2.1';
const OTHER_ADDRESS = '192.0.2.2';

/** Requests slots for these callers, in order; returns the callers that have got one so far. */
function requestSlots(pool: SlotPool, keys: readonly string[]): string[] {
  const started: string[] = [];
  for (const key of keys) {
    const acquired = pool.acquire(key, new Cancellation());
    if (acquired === true) started.push(key);
    else if (acquired) void acquired.then((isAcquired) => isAcquired && started.push(key));
  }
  return started;
}

test('a free slot goes to the caller that uses the fewest, and to its first request', async () => {
  const pool = new SlotPool(4);
  const started = requestSlots(pool, ['a', 'a', 'b', 'b', 'a', 'a', 'c', 'b']);
  expect(started).toEqual(['a', 'a', 'b', 'b']);
  pool.release('a');
  await nextTurns();
  pool.release('b');
  await nextTurns();
  expect(started.slice(4)).toEqual(['c', 'a']);
});

test('a caller has three eighths of the slots, and all addresses together have half', async () => {
  const pool = new SlotPool(16);
  const started = requestSlots(pool, [
    ...Array<string>(20).fill('a'),
    ...Array<string>(20).fill(ADDRESS),
    ...Array<string>(20).fill(OTHER_ADDRESS),
  ]);
  await nextTurns();
  const count = (key: string) => started.filter((each) => each === key).length;
  expect([count('a'), count(ADDRESS), count(OTHER_ADDRESS)]).toEqual([6, 4, 4]);
  // A credential that is accepted in the meantime finds room.
  expect(requestSlots(pool, ['b'])).toEqual([]);
  await nextTurns();
  expect(pool.inUseBy('b')).toBe(1);
});

test('a request for several slots waits for all of them, and later requests do not overtake it', async () => {
  const pool = new SlotPool(4);
  requestSlots(pool, ['a', 'b', 'c']);
  const several = pool.acquire('d', new Cancellation(), 3);
  const later = requestSlots(pool, ['e']);
  pool.release('a');
  await nextTurns();
  expect(later).toEqual([]);
  pool.release('b');
  expect(await several).toBe(true);
  await nextTurns();
  expect([pool.inUse, later]).toEqual([4, []]);
  pool.release('d', 3);
  await nextTurns();
  expect(later).toEqual(['e']);
});

test('a request that waits too long, or is last in the longest of full queues, is rejected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const pool = new SlotPool(1, 2);
    requestSlots(pool, ['a']);
    const [first, second] = times(2, () => pool.acquire('b', new Cancellation(), 1, 15_000));
    const other = pool.acquire('c', new Cancellation(), 1, 15_000);
    expect([await second, pool.waiting]).toEqual([false, 2]);
    vi.advanceTimersByTime(15_000);
    expect(await Promise.all([first, other])).toEqual([false, false]);
    expect(pool.waiting).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a paused pool rejects new requests, and starts waiting ones when the pause ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const pool = new SlotPool(1);
    const started = requestSlots(pool, ['a', 'b']);
    pool.pauseFor(2_000);
    expect(pool.acquire('c', new Cancellation())).toBe(false);
    pool.release('a');
    vi.advanceTimersByTime(1_999);
    await nextTurns();
    expect([pool.isPaused, started]).toEqual([true, ['a']]);
    vi.advanceTimersByTime(1);
    await nextTurns();
    expect([pool.isPaused, started]).toEqual([false, ['a', 'b']]);
  } finally {
    vi.useRealTimers();
  }
});

test('when too many wait, each for itself, the last one is rejected', async () => {
  const pool = new SlotPool(1, 2);
  requestSlots(pool, ['a']);
  const [, , last] = ['b', 'c', 'd'].map((key) => pool.acquire(key, new Cancellation()));
  expect([await last, pool.waiting]).toEqual([false, 2]);
});

test('a pool is saturated once no slot has become free for more than five seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const pool = new SlotPool(2);
    requestSlots(pool, ['a', 'b', 'c']);
    expect(pool.isSaturated).toBe(false);
    vi.advanceTimersByTime(5_001);
    expect(pool.isSaturated).toBe(true);
    pool.release('a');
    await nextTurns();
    expect([pool.inUse, pool.isSaturated]).toEqual([2, false]);
  } finally {
    vi.useRealTimers();
  }
});

test('no slot is lost, and no request waits that could run', async () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', ADDRESS, OTHER_ADDRESS),
    slots: fc.constantFrom(1, 1, 1, 2, 5),
    ends: fc.nat(9),
    leaves: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const pool = new SlotPool(5, 12);
      const running: { readonly key: string; readonly slots: number }[] = [];
      const release = async (ended: (typeof running)[number] | undefined) => {
        if (ended) pool.release(ended.key, ended.slots);
        await nextTurns();
      };
      for (const { key, slots, ends, leaves } of steps) {
        const cancellation = new Cancellation();
        const acquired = pool.acquire(key, cancellation, slots);
        if (acquired === true) running.push({ key, slots });
        else if (acquired)
          acquired.then(
            (isAcquired) => isAcquired && running.push({ key, slots }),
            () => {},
          );
        if (leaves) cancellation.abort('closed');
        await release(running.splice(ends, 1)[0]);
        expect(pool.inUse).toBe(running.reduce((sum, each) => sum + each.slots, 0));
      }
      while (running.length > 0) await release(running.pop());
      expect([pool.inUse, pool.waiting]).toEqual([0, 0]);
    }),
    { numRuns: 50 },
  );
});
