import { expect, test } from 'vitest';
import { comparableMoment, utcMoment } from '../../src/lists/moment.ts';

test.each([
  ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00'],
  ['2024-05-01T00:00:00+02:00', '2024-04-30T22:00:00'],
  ['2024-05-01T10:20:30.1200Z', '2024-05-01T10:20:30.12'],
  ['2024-05-01T10:20:30.000Z', '2024-05-01T10:20:30'],
  ['2024-05-01T10:20:30.100000000000001-01:30', '2024-05-01T11:50:30.100000000000001'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00'],
])('%s compares as %s', (text, moment) => {
  expect(comparableMoment(text)).toBe(moment);
});

test('all digits of a second are kept', () => {
  expect(utcMoment('2024-05-01T00:00:00.1200+00:00')).toBe('2024-05-01T00:00:00.1200');
});

test.each([
  '',
  '2024-05-01',
  '2024-05-01T00:00:00',
  '2024-05-01 00:00:00Z',
  '2024-02-30T00:00:00Z',
  '2024-05-01T25:00:00Z',
  '9999-12-31T23:00:00-02:00',
  'yesterday',
])('%j is no moment', (text) => {
  expect(utcMoment(text)).toBeUndefined();
});
