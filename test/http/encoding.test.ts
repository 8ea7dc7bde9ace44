import { expect, test } from 'vitest';
import { preferredEncoding } from '../../src/http/negotiation.ts';

const AVAILABLE = ['br', 'zstd', 'gzip'] as const;

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, compress', undefined],
  ['nonsense', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, zstd', 'zstd'],
  ['*', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0.5, gzip;q=0.501', 'gzip'],
  ['br;q=0, *', 'zstd'],
  ['br;q=0, zstd;q=0, *;q=0.1', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, *', 'br'],
  ['*;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.2, *;q=0.1', undefined],
  ['gzip;q=0.001', 'gzip'],
])('for %j the encoding is %s', (header, encoding) => {
  expect(preferredEncoding(header, AVAILABLE).encoding).toBe(encoding);
});

test.each([
  ['gzip', false],
  ['', false],
  ['*', false],
  ['identity;q=0.1', false],
  ['*;q=0, identity', false],
  ['identity;q=0', true],
  ['gzip, identity;q=0', true],
  ['gzip, *;q=0', true],
])('%j refuses a body as it is: %s', (header, refuses) => {
  expect(preferredEncoding(header, AVAILABLE).refusesIdentity).toBe(refuses);
});
