import { expect, test } from 'vitest';
import { errorFromResponse } from '../../src/rest/client/error-response.ts';

const SECRET = 'a+b/c=é:%25~';

/** What is shown of the words of a service that knows the secret. */
function shown(message: string): string | undefined {
  const body = { type: 'application/json', text: '{}', secrets: [SECRET] };
  const request = { method: 'POST', path: '/oauth/token', body } as const;
  return errorFromResponse(request, { status: 400, body: { code: message, message } }).upstream?.message;
}

const ENCODED = encodeURIComponent(SECRET);

test.each([
  ['as it is', SECRET],
  ['encoded', ENCODED],
  ['encoded in small letters', ENCODED.toLowerCase()],
  ['encoded in part', SECRET.replace('%', '%25').replace('/', '%2f')],
  ['encoded to the last character', ENCODED.replace('a', '%61').replace('b', '%62').replace('~', '%7E')],
  ['encoded beside what is no text', `%ff${ENCODED}%E9`],
])('a secret that a service quotes is hidden: %s', (_how, quoted) => {
  const message = shown(`Unknown: token=${quoted}&grant_type=x`);
  expect(message).toMatch(/^Unknown: token=\ufffd?\[secret\]\ufffd?&grant_type=x$/);
});

test('words without a secret are shown as they are', () => {
  const words = '100 % of ERP%2D17 at 5%, %zz';
  expect(shown(words)).toBe(words);
});
