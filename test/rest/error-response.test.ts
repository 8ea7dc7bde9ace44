import { expect, test } from 'vitest';
import { errorFromResponse } from '../../src/rest/client/error-response.ts';

/** That no secret is shown is in test/resilience/isolation/secrets.test.ts. */
test.each<[unknown, number | undefined]>([
  ['0', 0],
  ['007', 7],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  ['1e3', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [['1', '2'], undefined],
])('`Retry-After: %s` is %s seconds', (retryAfter, seconds) => {
  const request = { method: 'GET', path: '/things' };
  expect(errorFromResponse(request, { status: 429, retryAfter }).retryAfter).toBe(seconds);
});

test('a secret that the service quotes is masked, also as it stands in a URL', () => {
  const secret = 'a+b/c=';
  const body = { message: `Who is ${secret}, in ?token=${encodeURIComponent(secret)}` };
  const error = errorFromResponse({ method: 'GET', path: '/things' }, { status: 400, body }, [secret]);
  expect(error.message).toContain('Who is [secret], in ?token=[secret]');
});
