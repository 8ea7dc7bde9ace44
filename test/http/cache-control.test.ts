import { expect, test } from 'vitest';
import { bypassesCache } from '../../src/request/credentials.ts';

test.each([
  'no-cache',
  'No-Cache',
  'NO-STORE',
  'no-store, max-age=0',
  'max-age=0',
  'Max-Age=0',
  'max-age="0"',
  'max-age=00',
  'private,no-cache',
  ' max-age=0 , no-transform',
])('`Cache-Control: %s` passes the cache by', (value) => {
  expect(bypassesCache(value)).toBe(true);
});

test.each([
  undefined,
  '',
  'max-age=60',
  'max-age=05',
  'private',
  'x-no-cache',
  'no-cached',
  'foo="a no-cache b"',
])('`Cache-Control: %s` does not', (value) => {
  expect(bypassesCache(value)).toBe(false);
});
