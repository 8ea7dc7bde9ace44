import { describe, expect, test } from 'vitest';
import { formatAmount, groupsOf, readAmount } from '../../examples/dashboard/src/money.ts';

describe('amounts in the dashboard', () => {
  test.each(['6213.78', '-1000073.12', '9875423437983137.41', '0.10', '12.345'])(
    'keep all digits of %s',
    (amount) => {
      expect(formatAmount(amount).replace(/\D/g, '')).toBe(amount.replace(/\D/g, ''));
    },
  );

  test.each([
    ['1,234,567.89', ['1,', '234,', '567.89']],
    ['-12.345', ['-12.345']],
    ['1e3', ['1e3']],
  ])('can wrap only between groups of digits: %s', (formatted, groups) => {
    expect(groupsOf(formatted)).toEqual(groups);
  });

  test('have at least two decimals', () => {
    expect(formatAmount('5').replace(/\D/g, '')).toBe('500');
  });

  test.each([
    ['nl', '1.000,50', '1000.50'],
    ['nl', '-12,5', '-12.5'],
    ['nl', '1000.50', undefined],
    ['en', '1,000.50', '1000.50'],
    ['en', '1000', '1000'],
    ['en', '1.000,50', undefined],
    ['en', '1,50', undefined],
    ['fr', '1 000,50', '1000.50'],
    ['en', 'ten', undefined],
  ])('are parsed in the language of the user: %s %s', (locale, typed, amount) => {
    expect(readAmount(typed, locale)).toBe(amount);
  });

  test('are shown unchanged if they are not decimals', () => {
    expect(formatAmount('1e3')).toBe('1e3');
  });
});
