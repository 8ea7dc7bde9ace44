import { expect, test } from 'vitest';
import { Places } from '../../src/limits/places.ts';
import { stopClock } from '../support/clock.ts';

test('if all places are taken for more than five seconds, the process is not ready', () => {
  const { advance } = stopClock();
  const places = new Places(2);
  const [release] = ['a', 'b'].map((owner) => places.admit(owner));
  expect([places.admit('c'), places.isStuck()]).toEqual([undefined, false]);
  advance(5_001);
  expect([places.admit('c'), places.isStuck()]).toEqual([undefined, true]);
  release?.();
  // One caller that has used up its part does not do that.
  expect([places.admit('b'), places.isStuck()]).toEqual([undefined, false]);
});
