import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as `unit: 'binary'` has them. fast-check maps each of that to its number before the first
 * string, which takes longer than a search.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count),
  (value) => {
    const point =
      typeof value === 'string' && Array.from(value).length === 1 ? value.codePointAt(0) : undefined;
    if (point === undefined) throw new Error('It is not one character.');
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);
