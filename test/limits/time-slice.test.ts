import { expect, test } from 'vitest';
import { nextSlice } from '../../src/limits/time-slice.ts';

test('owners take turns with long work, however much of it each of them has', async () => {
  const order: string[] = [];
  const work = (owner: string) => nextSlice(owner).then(() => order.push(owner));
  await Promise.all([work('a'), work('a'), work('a'), work('b'), work('b'), work('c')]);
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});
