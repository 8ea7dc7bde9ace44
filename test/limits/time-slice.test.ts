import { expect, test } from 'vitest';
import { isSliceOver, nextSlice } from '../../src/limits/time-slice.ts';
import { times } from '../support/times.ts';

/** Takes a whole slice. */
function takeLong(): void {
  while (!isSliceOver());
}

test('owners take turns with long work, however much of it each of them has', async () => {
  const order: string[] = [];
  const work = async (owner: string) => {
    await nextSlice(owner);
    order.push(owner);
    takeLong();
  };
  await Promise.all([work('a'), work('a'), work('a'), work('b'), work('b'), work('c')]);
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('work that takes a part of a slice leaves the rest of it to other work of its owner', async () => {
  const order: string[] = [];
  const work = async (owner: string) => {
    await nextSlice(owner);
    await Promise.resolve();
    order.push(owner);
  };
  await Promise.all(['a', 'b'].flatMap((owner) => times(100, () => work(owner))));
  const changes = order.filter((owner, index) => index > 0 && owner !== order[index - 1]);
  expect(changes.length).toBeLessThan(50);
});

test('credentials and addresses take turns, however many addresses there are', async () => {
  const order: string[] = [];
  const work = (owner: string) => nextSlice(owner).then(() => order.push(owner));
  const strangers = ['10.0.0.1', '10.0.0.2', '2001:db8::/64', 'unknown address'];
  await Promise.all([...strangers.map(work), work('hash='), work('hash=')]);
  expect(order.slice(0, 4).filter((owner) => owner === 'hash=')).toHaveLength(2);
});
