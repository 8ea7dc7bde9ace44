import { expect, test } from 'vitest';
import { findTimeZone } from '../../src/lists/time-zones.ts';

test.each([
  ['Europe/Amsterdam', '2024-06-30T22:00:00', '2024-07-01T00:00:00'],
  // The hours around each change of the clock.
  ['Europe/Amsterdam', '2024-03-31T00:59:59', '2024-03-31T01:59:59'],
  ['Europe/Amsterdam', '2024-03-31T01:00:00', '2024-03-31T03:00:00'],
  ['europe/amsterdam', '2024-10-27T00:59:59.5', '2024-10-27T02:59:59'],
  ['europe/amsterdam', '2024-10-27T01:00:00', '2024-10-27T02:00:00'],
  // It had no 30 December.
  ['Pacific/Apia', '2011-12-30T09:59:59', '2011-12-29T23:59:59'],
  ['Pacific/Apia', '2011-12-30T10:00:00', '2011-12-31T00:00:00'],
  ['Europe/Amsterdam', '0001-01-01T12:00:00', '0001-01-01T12:17:30'],
  ['UTC', '2024-06-30T22:00:00', '2024-06-30T22:00:00'],
])('in %s, %s is %s', (zone, moment, local) => {
  expect(findTimeZone(zone)?.(moment)).toBe(local);
});

const NO_ZONES = ['', '+01:00', 'GMT+1', 'Nowhere', 'Europe/Amsterdam ', 'x'.repeat(100_000), '\0'];

test.each(NO_ZONES)('a name that is no time zone on any version of Node is rejected: %#', (name) => {
  expect(findTimeZone(name)).toBeUndefined();
});
