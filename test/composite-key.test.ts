import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compositeKey, hashableKey, shortKey } from '../src/composite-key.ts';
import { createRestCache } from '../src/rest/cache/rest-cache.ts';
import { lookupCost } from '../src/schema/fields/estimate.ts';
import { createNames } from '../src/sharing/names.ts';
import { casesOf } from './support/search.ts';

/** Pieces of which texts are made, with everything that a key might put between its parts. */
const PIECES = ['a', '', ' ', ':', ';', ',', '|', '\0', '\n', '"', '\\', '0', '1', '12', 'true', 'null'];
const WORDS = ['undefined', ' by ', ' in ', ' after ', ' as ', '\ud800', '\udbff', '\udc00', '\ufffd', 'é'];
const text = fc
  .array(fc.constantFrom(...PIECES, ...WORDS), { maxLength: 3 })
  .map((pieces) => pieces.join(''));

/** Tries many values at once, since it takes two for a collision. */
function expectInjective<Value>(value: fc.Arbitrary<Value>, keyOf: (value: Value) => unknown): void {
  const values = fc.array(value, { minLength: 300, maxLength: 300 });
  fc.assert(
    fc.property(values, (tried) => {
      const found = new Map<unknown, Value>();
      for (const one of tried) {
        const key = keyOf(one);
        if (found.has(key)) expect(one).toStrictEqual(found.get(key));
        found.set(key, one);
      }
    }),
    { numRuns: casesOf({ short: 5, long: 10 }) },
  );
}

describe('a key of several parts', () => {
  const part = fc.oneof(text, fc.integer({ min: -12, max: 12 }), fc.constant(undefined));
  const parts = fc.array(part, { maxLength: 4 });

  test('differs for different parts, whatever they hold and how many they are', () => {
    expectInjective(parts, (tried) => compositeKey(...tried));
  });

  test('is unambiguous before other text too', () => {
    expectInjective(fc.tuple(fc.tuple(part, part), text), ([tried, after]) => compositeKey(...tried) + after);
  });

  test('differs as UTF-8 too where it is hashed', () => {
    expectInjective(fc.array(text, { maxLength: 3 }), (tried) =>
      Buffer.from(hashableKey(...tried)).toString('hex'),
    );
  });
});

test('a key that is kept is short, and differs for different texts of any length', () => {
  const long = fc
    .tuple(text, fc.integer({ min: 0, max: 60 }))
    .map(([end, length]) => 'ł'.repeat(length) + end);
  expectInjective(long, shortKey);
  expect(shortKey('ł'.repeat(1_000))).toHaveLength(43);
});

const scope = {
  records: 1,
  rows: 1,
  administration: undefined,
  administrations: 1,
  maxFirst: 1,
  isUnbounded: false,
};

/** Keys that are made of what a caller or the service has sent. */
describe('no two have the same key', () => {
  const optional = fc.option(text, { nil: undefined });

  test('among lookups of an estimate', () => {
    const parts = fc.tuple(text, text, optional, text);
    expectInjective(parts, ([type, filter, administration, origin]) => {
      const [read] = lookupCost(type, filter, [], { ...scope, origin, administration }).reads;
      return read?.name;
    });
  });

  test('among refreshes that processes share', () => {
    const names = createNames('secret');
    expectInjective(fc.tuple(text, text), (parts) => names.refresh(...parts));
  });

  test('among refreshes under way', () => {
    const cache = createRestCache(1_000).credential('Basic x');
    expectInjective(text, (refreshToken) => cache.secretKey(refreshToken));
  });
});
