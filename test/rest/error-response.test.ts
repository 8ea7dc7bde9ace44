import { expect, test } from 'vitest';
import { errorFromResponse } from '../../src/rest/client/error-response.ts';

const SECRET = 'a+b/c=é:%25~';
const ENCODED = encodeURIComponent(SECRET);

/** What is shown of the words of a service that knows the secret. */
function shown(message: string): string | undefined {
  const body = { type: 'application/json', text: '{}', secrets: [SECRET] };
  const request = { method: 'POST', path: '/oauth/token', body } as const;
  return errorFromResponse(request, { status: 400, body: { code: message, message } }).upstream?.message;
}

test.each([
  ['as it is', SECRET],
  ['encoded', ENCODED],
  ['encoded in small letters', ENCODED.toLowerCase()],
  ['encoded in part', SECRET.replace('%', '%25').replace('/', '%2f')],
  ['encoded beside what is no text', `%ff${ENCODED}%E9`],
])('a secret that a service quotes is hidden: %s', (_how, quoted) => {
  const message = shown(`Unknown: token=${quoted}&grant_type=x`);
  expect(message).toMatch(/^Unknown: token=\ufffd?\[secret\]\ufffd?&grant_type=x$/);
});

test('words without a secret are shown as they are', () => {
  const words = '100 % of ERP%2D17 at 5%, %zz';
  expect(shown(words)).toBe(words);
});

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
