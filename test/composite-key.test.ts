import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compositeKey, hashableKey } from '../src/composite-key.ts';
import { casesOf } from './support/search.ts';

/** Pieces of which texts are made, with everything that a key might put between its parts. */
const PIECES = [...'a :;,|\0"\\0é', '', '12', 'null', '\ud800', '\udc00'];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 3 }).map((pieces) => pieces.join(''));
const part = fc.oneof(text, fc.integer({ min: -12, max: 12 }), fc.constant(undefined));

/** Tries many values at once, since it takes two for a collision. */
function expectInjective<Value>(value: fc.Arbitrary<Value>, keyOf: (value: Value) => string): void {
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
    { numRuns: casesOf({ short: 5, long: 100 }) },
  );
}

test('composite keys differ if their parts or the number of parts differ', () => {
  expectInjective(fc.array(part, { maxLength: 4 }), (tried) => compositeKey(...tried));
  expectInjective(fc.tuple(part, part, text), ([one, other, after]) => compositeKey(one, other) + after);
  expectInjective(fc.array(text, { maxLength: 3 }), (tried) =>
    Buffer.from(hashableKey(...tried)).toString('hex'),
  );
});
