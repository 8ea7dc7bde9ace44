import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textSearch } from '../src/text-search.ts';
import { casesOf } from './support/search.ts';

test('a part is found where the engine finds it, also in long texts of few letters', () => {
  const letters = (maxLength: number) =>
    fc.array(fc.constantFrom('a', 'b', '€'), { maxLength }).map((list) => list.join(''));
  fc.assert(
    fc.property(letters(12), letters(6), fc.integer({ min: 1, max: 400 }), (start, part, times) => {
      const repeated = part.repeat(times);
      // Long enough for the search that does not depend on the engine.
      const text = start.repeat(300) + repeated.slice(1) + start;
      for (const wanted of [repeated, `${repeated}b${repeated}`, part, ''])
        for (const from of [0, start.length, 1_000])
          expect(textSearch(wanted)(text, from)).toBe(text.indexOf(wanted, from));
    }),
    { numRuns: casesOf({ short: 60, long: 300 }) },
  );
});

test('what repeats one letter takes no more steps than its length', () => {
  const part = `${'a'.repeat(400)}b${'a'.repeat(400)}`;
  const search = textSearch(part);
  for (let round = 0; round < 50; round += 1) expect(search('a'.repeat(50_000))).toBe(-1);
  expect(search(`${'a'.repeat(50_000)}b${'a'.repeat(400)}`)).toBe(49_600);
});
