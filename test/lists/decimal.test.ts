import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  divideDecimal,
  formatDecimal,
  parseDecimal,
} from '../../src/lists/values.ts';
import { present } from '../support/present.ts';
import { casesOf } from '../support/search.ts';

const decimal = (text: string): Decimal => present(parseDecimal(text));

test.each([
  ['0', '0'],
  ['-0', '0'],
  ['.5', '0.5'],
  ['-0.005', '-0.005'],
  ['007', '7'],
  ['123456789012345678901234567890.12', '123456789012345678901234567890.12'],
])('%s is the decimal %s', (text, written) => {
  expect(formatDecimal(decimal(text))).toBe(written);
});

test('other strings are not decimals', () => {
  const texts = ['', '.', '-', '+', '1,5', '1e5', 'NaN', ' 1', '1 ', '--1', '0x1', '١', '1'.repeat(1001)];
  expect(texts.filter((text) => parseDecimal(text) !== undefined)).toEqual([]);
});

test.each([
  ['1.10', '1.1', 0],
  ['-1', '1', -1],
  ['99999999999999999999.1', '99999999999999999999.2', -1],
])('comparing %s with %s gives %i', (a, b, order) => {
  expect(compareDecimals(decimal(a), decimal(b))).toBe(order);
  expect(compareDecimals(decimal(b), decimal(a))).toBe(order === 0 ? 0 : -order);
});

test.each([
  // Half is rounded to even, at two digits more.
  ['1', 3, '0.33'],
  ['2', 3, '0.67'],
  ['-1', 3, '-0.33'],
  ['0.01', 8, '0.0012'],
  ['-0.01', 8, '-0.0012'],
  ['0.05', 1000, '0.0000'],
  ['10.00', 1, '10.0000'],
  ['100', 8, '12.50'],
])('%s divided by %i is %s', (sum, count, average) => {
  expect(formatDecimal(divideDecimal(decimal(sum), count))).toBe(average);
});

test('sums are exact, and have as many decimals as the longest amount', () => {
  const amount = fc.tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat({ max: 6 }));
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), (amounts) => {
      const sum = amounts.map(([units, scale]) => ({ units, scale })).reduce(addDecimals);
      const millionths = amounts.reduce(
        (total, [units, scale]) => total + units * 10n ** BigInt(6 - scale),
        0n,
      );
      expect(sum.scale).toBe(Math.max(...amounts.map(([, scale]) => scale)));
      expect(sum.units * 10n ** BigInt(6 - sum.scale)).toBe(millionths);
      expect(parseDecimal(formatDecimal(sum))).toEqual(sum);
    }),
    { numRuns: casesOf({ short: 40, long: 200 }) },
  );
});
