import { expect, test } from 'vitest';
import { comparableMoment, utcMoment } from '../../src/lists/moment.ts';

test.each([
  ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00'],
  ['2024-05-01T00:00:00+02:00', '2024-04-30T22:00:00'],
  ['2024-05-01T10:20:30.1200Z', '2024-05-01T10:20:30.12'],
  ['2024-05-01T10:20:30.000Z', '2024-05-01T10:20:30'],
  ['2024-05-01T10:20:30.100000000000001-01:30', '2024-05-01T11:50:30.100000000000001'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00'],
  ['2024-05-01t10:20:30z', '2024-05-01T10:20:30'],
  ['2024-05-01t10:20:30.5+02:00', '2024-05-01T08:20:30.5'],
  ['2024-05-01T00:00:00-00:00', '2024-05-01T00:00:00'],
])('%s compares as %s', (text, moment) => {
  expect(comparableMoment(text)).toBe(moment);
});

/** At the end of a month in UTC, as in RFC 3339. */
test.each([
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60', '2017-01-01T00:00:00'],
  ['2016-12-31t23:59:60.500z', '2016-12-31T23:59:60.5', '2017-01-01T00:00:00'],
  ['1990-12-31T15:59:60-08:00', '1990-12-31T23:59:60', '1991-01-01T00:00:00'],
  ['2017-01-01T05:29:60+05:30', '2016-12-31T23:59:60', '2017-01-01T00:00:00'],
  ['2016-02-29T23:59:60Z', '2016-02-29T23:59:60', '2016-03-01T00:00:00'],
])('the leap second %s compares as %s, and is sent as %s', (text, comparable, sent) => {
  expect([comparableMoment(text), utcMoment(text)]).toEqual([comparable, sent]);
});

test('a leap second stands between the seconds beside it', () => {
  const moments = [
    '2016-12-31T23:59:59.999Z',
    '2017-01-01T00:59:60+01:00',
    '2016-12-31T23:59:60.1Z',
    '2017-01-01T00:00:00Z',
  ];
  const comparable = moments.map((moment) => String(comparableMoment(moment)));
  expect(comparable.toSorted()).toEqual(comparable);
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
  '2016-12-30T23:59:60Z',
  '2016-12-31T23:58:60Z',
  '2016-12-31T23:59:60+01:00',
  '2016-12-31T23:59:61Z',
  '2016-12-32T23:59:60Z',
  '9999-12-31T23:59:60Z',
  'yesterday',
])('%j is no moment', (text) => {
  expect(utcMoment(text)).toBeUndefined();
});
