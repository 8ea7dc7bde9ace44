import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextSlice } from '../../src/limits/time-slice.ts';
import { sortSliced, visitSliced } from '../../src/lists/slices.ts';
import { casesOf } from '../support/search.ts';

const slices = { nextSlice: () => nextSlice('owner') };

test('sorting in slices is sorting, and keeps the order of equals', async () => {
  const items = fc.array(fc.nat({ max: 50 }), { maxLength: 1_500 });
  await fc.assert(
    fc.asyncProperty(items, async (numbers) => {
      const given = numbers.map((number, index) => ({ number, index }));
      const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number;
      expect(await sortSliced(given, slices, byNumber)).toEqual(given.toSorted(byNumber));
    }),
    { numRuns: casesOf({ short: 6, long: 30 }) },
  );
});

test('work is cut into slices, and ends where the operation is stopped', async () => {
  let visited = 0;
  let cuts = 0;
  const stop = new Error('stopped');
  const stopping = {
    async nextSlice() {
      cuts += 1;
      if (cuts === 3) throw stop;
      await nextSlice('owner');
    },
  };
  const busy = () => {
    visited += 1;
    const end = performance.now() + 0.2;
    while (performance.now() < end);
  };
  const rows = Array.from({ length: 5_000 }, (_, index) => index);
  await expect(visitSliced(rows, stopping, busy)).rejects.toBe(stop);
  expect(visited).toBeLessThan(rows.length);
  cuts = 0;
  const compare = (a: number, b: number) => {
    busy();
    return b - a;
  };
  await expect(sortSliced(rows, stopping, compare)).rejects.toBe(stop);
});

test('others run while rows that are in reverse are sorted', async () => {
  const rows = Array.from({ length: 4_096 }, (_, index) => 4_096 - index);
  let sinceSlice = 0;
  let most = 0;
  const counting = {
    nextSlice() {
      sinceSlice = 0;
      return nextSlice('owner');
    },
  };
  const slow = (one: number, other: number) => {
    sinceSlice += 1;
    most = Math.max(most, sinceSlice);
    // As long as a comparison of long texts.
    const end = performance.now() + 0.02;
    while (performance.now() < end);
    return one - other;
  };
  expect(await sortSliced(rows, counting, slow)).toEqual(rows.toSorted((one, other) => one - other));
  expect(most).toBeLessThan(1_000);
});
