import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { TimeSlices } from '../../src/limits/time-slice.ts';
import { comesFrom } from '../support/addresses.ts';
import { times } from '../support/times.ts';

let now = 0;
let slices: TimeSlices;

beforeEach(() => {
  slices = new TimeSlices(() => now);
});

/** Takes a whole slice. */
function takeLong(): void {
  now += 6;
}

test('owners take turns with long work, however much of it each of them has', async () => {
  const order: string[] = [];
  const work = async (owner: string) => {
    await slices.next(owner);
    order.push(owner);
    takeLong();
  };
  await Promise.all([work('a'), work('a'), work('a'), work('b'), work('b'), work('c')]);
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('time counts for whoever uses it, also after some promises', async () => {
  const order: string[] = [];
  const work = async (owner: string, hops: number) => {
    for (const _ of times(4, String)) {
      await slices.next(owner);
      for (const _hop of times(hops, String)) await undefined;
      order.push(owner);
      takeLong();
    }
  };
  await Promise.all([work('a', 5), work('b', 0), work('c', 0)]);
  expect(order).toEqual(times(12, (index) => ['a', 'b', 'c'][index % 3]));
});

test('work that takes a part of a slice leaves the rest of it to other work', async () => {
  const turns = new Set<number>();
  const work = async (owner: string) => {
    await slices.next(owner);
    await Promise.resolve();
    now += 0.1;
    turns.add(slices.number);
  };
  await Promise.all(['a', 'b'].flatMap((owner) => times(100, () => work(owner))));
  expect(turns.size).toBe(4);
});

test('credentials and addresses take turns, however many addresses there are', async () => {
  const order: string[] = [];
  const work = async (owner: string) => {
    await slices.next(owner);
    order.push(owner);
    takeLong();
  };
  const strangers = ['10.0.0.1', '10.0.0.2', '2001:db8::/64', 'unknown address'];
  await Promise.all([...strangers.map(work), work('hash='), work('hash=')]);
  expect(order.slice(0, 5).filter((owner) => owner === 'hash=')).toHaveLength(2);
});

test('short work does not wait for that of all who have much', async () => {
  const order: string[] = [];
  let isOver = false;
  const busy = async (owner: string) => {
    while (!isOver) {
      await slices.next(owner);
      order.push(owner);
      takeLong();
    }
  };
  const all = times(20, (index) => busy(`busy${index}`));
  while (order.length < 20) await turn();
  const quiet = async () => {
    await slices.next('quiet');
    return order.length;
  };
  const before = order.length;
  const places = [await quiet(), await quiet()].map((place) => place - before);
  isOver = true;
  await Promise.all(all);
  expect(Math.max(...places)).toBeLessThanOrEqual(2);
});

test('credentials of one address share its time, however many there are', async () => {
  const order: string[] = [];
  const work = async (owner: string, address: string) => {
    comesFrom(address, owner);
    for (const _ of times(4, String)) {
      await slices.next(owner);
      order.push(owner);
      takeLong();
    }
  };
  await Promise.all([...times(10, (index) => work(`token${index}`, '10.0.0.1')), work('other', '10.0.0.2')]);
  // A slice of this one for each of all those.
  expect(order.slice(0, 9).filter((owner) => owner === 'other')).toHaveLength(4);
});
