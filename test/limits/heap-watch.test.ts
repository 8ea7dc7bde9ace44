import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { watchHeap } from '../../src/limits/memory.ts';
import { eventually } from '../support/eventually.ts';

setFlagsFromString('--expose-gc');
const collect: (options?: { readonly type: 'minor' }) => void = runInNewContext('gc');

/** Told of each full collection, from which on it counts them. */
function countingWatch(maxBytes: number) {
  const watch = { told: 0, end: () => {} };
  watch.end = watchHeap(() => {
    watch.told += 1;
  }, maxBytes);
  onTestFinished(watch.end);
  return watch;
}

test('tells of a heap that is beyond its limit after a full collection, until it is ended', async () => {
  const [beyond, within, ended] = [countingWatch(1_000_000), countingWatch(1e12), countingWatch(0)];
  ended.end();
  collect({ type: 'minor' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = beyond.told;
  collect();
  await eventually(() => expect(beyond.told).toBe(before + 1));
  expect([within.told, ended.told]).toEqual([0, 0]);
});
