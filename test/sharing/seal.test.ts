import { describe, expect, test } from 'vitest';
import type { RestResponse } from '../../src/rest/client/attempt.ts';
import { RestError } from '../../src/rest/errors.ts';
import { createEncryption, createRefreshes } from '../../src/sharing/refreshes.ts';
import { SECRET } from './support.ts';

test('an encrypted outcome can be decrypted only with the token and the secret', () => {
  const sealed = createEncryption('token', SECRET).encrypt('the next token');
  expect(createEncryption('token', SECRET).decrypt(sealed)).toBe('the next token');
  expect(createEncryption('token2', SECRET).decrypt(sealed)).toBeUndefined();
  expect(createEncryption('token', `${SECRET}2`).decrypt(sealed)).toBeUndefined();
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('token');
});

describe('a request that waits for another replica gets', () => {
  /** Finishes a refresh at one replica, and asks for it at another one with the same token. */
  async function refreshTwice(answer: () => Promise<RestResponse>) {
    let state = '';
    const states = {
      async move(_key: string, from: readonly string[], to: string) {
        if (from.includes(state)) state = to;
        return state;
      },
      pause: async () => {},
      now: () => performance.now(),
    };
    const { refresh } = createRefreshes(states, () => 'key', { secret: SECRET, restTimeoutMs: 0 });
    const send = (onSend?: () => void) => {
      onSend?.();
      return answer();
    };
    await refresh('Basic a', 'token', send).catch(() => {});
    return refresh('Basic a', 'token', () => Promise.reject(new Error('sent twice')));
  }
  const refusal = (status: number) =>
    new RestError(
      'RATE_LIMITED',
      'The REST service received too many requests. Retry later. Its message: later',
      {
        upstream: { method: 'POST', path: '/oauth/token', status, code: 'slow', message: 'later' },
        retryAfter: 7,
      },
    );

  test('the same response', async () => {
    const response = { status: 200, body: { access_token: 'é€', expires_in: 60 }, bytes: 12 };
    expect(await refreshTwice(async () => response)).toEqual(response);
  });

  test('the same rejection', async () => {
    const { code, message, upstream, retryAfter } = refusal(429);
    const refused = refreshTwice(() => Promise.reject(refusal(429)));
    await expect(refused).rejects.toMatchObject({ code, message, upstream, retryAfter });
  });

  test.each([302, 500, 503])('an unknown outcome after status %i, which may have used it', async (status) => {
    const lost = refreshTwice(() => Promise.reject(refusal(status)));
    await expect(lost).rejects.toMatchObject({ code: 'REFRESH_OUTCOME_UNKNOWN' });
  });
});
