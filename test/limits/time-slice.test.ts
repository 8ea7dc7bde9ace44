import { expect, test } from 'vitest';
import { nextSlice } from '../../src/limits/time-slice.ts';

test('owners take turns with long work, however much of it each of them has', async () => {
  const order: string[] = [];
  const work = (owner: string) => nextSlice(owner).then(() => order.push(owner));
  await Promise.all([work('a'), work('a'), work('a'), work('b'), work('b'), work('c')]);
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('credentials and addresses take turns, however many addresses there are', async () => {
  const order: string[] = [];
  const work = (owner: string) => nextSlice(owner).then(() => order.push(owner));
  const strangers = ['10.0.0.1', '10.0.0.2', '2001:db8::/64', 'unknown address'];
  await Promise.all([...strangers.map(work), work('hash='), work('hash=')]);
  expect(order.slice(0, 4).filter((owner) => owner === 'hash=')).toHaveLength(2);
});
