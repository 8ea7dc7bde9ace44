import { describe, expect, test } from 'vitest';
import { addAmounts, formatAmount } from '../../examples/dashboard/src/money.ts';

describe('amounts in the dashboard', () => {
  test.each(['6213.78', '-1000073.12', '9875423437983137.41', '0.10', '12.345'])(
    'keep every digit of %s',
    (amount) => {
      expect(formatAmount(amount).replace(/\D/g, '')).toBe(amount.replace(/\D/g, ''));
    },
  );

  test('have at least two decimals', () => {
    expect(formatAmount('5').replace(/\D/g, '')).toBe('500');
  });

  test('show as they are where they are no decimals', () => {
    expect(formatAmount('1e3')).toBe('1e3');
  });

  test.each([
    [[], '0.00'],
    [['0.10', '0.20'], '0.30'],
    [['9875423437983137.41', '-9875423437983137.40'], '0.01'],
    [['1', '-1.05'], '-0.05'],
    [['1.005', '-2'], '-0.995'],
    [['1.00', 'n/a'], '1.00'],
  ])('add up exactly: %j is %s', (amounts, sum) => {
    expect(addAmounts(amounts)).toBe(sum);
  });
});
