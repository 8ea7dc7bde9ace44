import { expect, test } from 'vitest';
import { toComparableMoment, toUtcMoment } from '../../src/lists/values.ts';

test.each([
  ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00'],
  ['2024-05-01T00:00:00+02:00', '2024-04-30T22:00:00'],
  ['2024-05-01T10:20:30.1200Z', '2024-05-01T10:20:30.12'],
  ['2024-05-01T10:20:30.100000000000001-01:30', '2024-05-01T11:50:30.100000000000001'],
  ['2024-05-01t10:20:30z', '2024-05-01T10:20:30'],
  ['2024-05-01T00:00:00-00:00', '2024-05-01T00:00:00'],
])('the timestamp %s is compared as %s', (text, moment) => {
  expect(toComparableMoment(text)).toBe(moment);
});

test('timestamps are compared with all digits of a second', () => {
  expect(toUtcMoment('2024-05-01T00:00:00.1200+00:00')).toBe('2024-05-01T00:00:00.1200');
});

test.each([
  ['', 'yesterday', '2024-05-01', '2024-05-01T00:00:00', '2024-05-01 00:00:00Z'],
  ['2024-02-30T00:00:00Z', '2024-05-01T25:00:00Z', '9999-12-31T23:00:00-02:00'],
  ['2016-12-31T23:59:60Z', '2016-12-32T23:59:59Z'],
])('%j and similar values are not timestamps', (...texts) => {
  expect(texts.filter((text) => toUtcMoment(text) !== undefined)).toEqual([]);
});
