import { expect, test } from 'vitest';
import { errorFromResponse } from '../../src/rest/client/error-response.ts';

const inSeconds = (seconds: number) => new Date(Date.now() + 1000 * seconds).toUTCString();

test.each<[string | string[] | undefined, number | undefined]>([
  ['0', 0],
  ['30', 30],
  ['007', 7],
  ['99999999999', 99_999_999_999],
  ['9'.repeat(30), Number.MAX_SAFE_INTEGER],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  [inSeconds(-60), 0],
  ['1e3', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [['1', '2'], undefined],
  [undefined, undefined],
])('`Retry-After: %s` is %s seconds', (header, seconds) => {
  const request = { method: 'GET', path: '/things' } as const;
  expect(errorFromResponse(request, { status: 429, retryAfter: header }).retryAfter).toBe(seconds);
});
