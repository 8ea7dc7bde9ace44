import { describe, expect, test } from 'vitest';
import type { RestResponse } from '../../src/rest/client/attempt.ts';
import { RestError } from '../../src/rest/errors.ts';
import type { SendToken } from '../../src/rest/refresh-coordinator.ts';
import { createNames, createSeal } from '../../src/sharing/names.ts';
import type { SharedStates } from '../../src/sharing/refresh-protocol.ts';
import { createRefreshes } from '../../src/sharing/refreshes.ts';
import { SECRET } from './support.ts';

const seal = createSeal('token', SECRET);

describe('a sealed text', () => {
  const sealed = seal.seal('the next token', 'done');
  const bytes = Buffer.from(sealed, 'base64');
  const changed = Buffer.from(bytes);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;

  test('can be opened with the same secrets', () => {
    expect(createSeal('token', SECRET).open(sealed, 'done')).toBe('the next token');
    expect(bytes.toString('latin1')).not.toContain('token');
  });

  test.each([
    ['with another token', () => createSeal('token2', SECRET).open(sealed, 'done')],
    ['with another secret', () => createSeal('token', `${SECRET}2`).open(sealed, 'done')],
    ['as something else', () => seal.open(sealed, 'refused')],
    ['once it was changed', () => seal.open(changed.toString('base64'), 'done')],
    ['once it was cut', () => seal.open(bytes.subarray(0, 20).toString('base64'), 'done')],
    ['if there is none', () => seal.open('', 'done')],
  ])('cannot be opened %s', (_, open) => {
    expect(open()).toBeUndefined();
  });
});

describe('whoever waits for another replica gets', () => {
  /** What this replica does, and then another one with the same token. */
  async function refreshTwice(send: () => Promise<RestResponse>) {
    let state = '';
    const states: SharedStates = {
      async move(_key, from, to) {
        if (from.includes(state)) state = to;
        return state;
      },
      pause: async () => {},
      now: () => performance.now(),
    };
    const { refresh } = createRefreshes(states, createNames(SECRET), { secret: SECRET, restTimeoutMs: 0 });
    const sendHere: SendToken = (onSend) => {
      onSend?.();
      return send();
    };
    await refresh('Basic a', 'token', sendHere).catch(() => {});
    return refresh('Basic a', 'token', () => Promise.reject(new Error('sent twice')));
  }

  test('the same response', async () => {
    const response = { status: 200, body: { access_token: 'é€', expires_in: 60 }, bytes: 12 };
    expect(await refreshTwice(async () => response)).toEqual(response);
  });

  const refusal = (status: number) =>
    new RestError('RATE_LIMITED', 'The REST service asks to slow down. It said: later', {
      upstream: { method: 'POST', path: '/oauth/token', status, code: 'slow', message: 'later' },
      retryAfter: 7,
    });

  test('the same refusal', async () => {
    const { code, message, upstream, retryAfter } = refusal(429);
    const refused = refreshTwice(() => Promise.reject(refusal(429)));
    await expect(refused).rejects.toMatchObject({ code, message, upstream, retryAfter });
  });

  test.each([302, 500, 503])('no refusal for status %i, which may have used the token', async (status) => {
    const lost = refreshTwice(() => Promise.reject(refusal(status)));
    await expect(lost).rejects.toMatchObject({ code: 'REFRESH_OUTCOME_UNKNOWN' });
  });
});

test('names differ by credential, token, use and secret', () => {
  const { refresh, calls, invalidations, checkKey } = createNames(SECRET);
  const names = [
    refresh('Basic a', 'b'),
    refresh('Basic a', 'c'),
    refresh('Basic b', 'b'),
    createNames(`${SECRET}2`).refresh('Basic a', 'b'),
    calls('Basic a'),
    invalidations,
    checkKey,
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^receivables:\w+:[\w-]{43}$/.test(name))).toEqual([]);
});
