import { expect, test } from 'vitest';
import { StartQueue } from '../../src/http/start-queue.ts';
import { isSliceOver } from '../../src/limits/time-slice.ts';

/** Uses up what long work may take of this turn of the event loop. */
function exhaustSlice(): void {
  while (!isSliceOver());
}

test('operations start at once while a turn of the event loop has time left', () => {
  const queue = new StartQueue();
  expect(queue.enter('a')).toBeUndefined();
  expect(queue.enter('b')).toBeUndefined();
});

test('beyond that they start one in each turn, and owners take turns', async () => {
  const queue = new StartQueue();
  exhaustSlice();
  const started: string[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    if (started.length < 5) setImmediate(count);
  };
  setImmediate(count);
  const enter = (owner: string, name: string) =>
    queue.enter(owner)?.then(() => started.push(`${name} ${turns}`));
  const all = [
    enter('greedy', 'first'),
    enter('greedy', 'second'),
    enter('greedy', 'third'),
    enter('quiet', 'only'),
    enter('greedy', 'fourth'),
  ];
  expect(all.every((waits) => waits !== undefined)).toBe(true);
  await Promise.all(all);
  expect(started.map((text) => text.split(' ')[0])).toEqual(['first', 'only', 'second', 'third', 'fourth']);
  const inTurns = started.map((text) => Number(text.split(' ')[1]));
  expect(new Set(inTurns).size).toBe(5);
});

test('an operation that comes while others wait starts after them', async () => {
  const queue = new StartQueue();
  exhaustSlice();
  const first = queue.enter('a');
  const order: string[] = [];
  const waits = first?.then(() => order.push('first'));
  await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
  const second = queue.enter('a')?.then(() => order.push('second'));
  await Promise.all([waits, second]);
  expect(order).toEqual(['first', 'second']);
});
