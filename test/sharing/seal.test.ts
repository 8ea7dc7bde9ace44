import { describe, expect, test } from 'vitest';
import { RestError } from '../../src/rest/errors.ts';
import { DECODED_TEXT, type TextCodec, WIRE_TEXT } from '../../src/rest/wire-text.ts';
import { createNames, createSeal } from '../../src/sharing/names.ts';
import { openRefusal, openResponse, sealRefusal, sealResponse } from '../../src/sharing/refreshes.ts';
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

describe('an outcome', () => {
  const refusal = (status?: number) =>
    new RestError('RATE_LIMITED', 'The REST service asks to slow down. It said: later', {
      upstream: {
        method: 'POST',
        path: '/oauth/token',
        ...(status && { status }),
        code: 'slow',
        message: 'later',
      },
      retryAfter: 7,
    });

  const CODECS = [WIRE_TEXT, DECODED_TEXT];
  test.each(CODECS.flatMap((from) => CODECS.map((to) => [from.encoding, to.encoding, from, to] as const)))(
    'is the same response once opened, with text from %s to %s',
    (_from, _to, from, to) => {
      const responseWith = (text: TextCodec) => ({
        status: 200,
        body: { access_token: text.encode('é€\ud800'), expires_in: 60 },
        bytes: 12,
      });
      const outcome = sealResponse(seal, responseWith(from), from);
      expect(outcome.kind === 'done' && openResponse(seal, outcome.sealed, to)).toEqual(responseWith(to));
    },
  );

  test('is the same error once opened', () => {
    const outcome = sealRefusal(seal, refusal(429));
    const opened = outcome?.kind === 'refused' ? openRefusal(seal, outcome.sealed) : undefined;
    const { code, message, upstream, retryAfter } = refusal(429);
    expect(opened).toMatchObject({ code, message, upstream, retryAfter });
  });

  test.each([undefined, 302, 500, 503])('with status %s is no refusal', (status) => {
    expect(sealRefusal(seal, refusal(status))).toBeUndefined();
  });
});

test('names differ by credential, token, use and secret', () => {
  const { refresh, calls, invalidations, refreshes, checkKey } = createNames(SECRET);
  const names = [
    refresh('Basic a', 'b'),
    refresh('Basic a', 'c'),
    refresh('Basic b', 'b'),
    createNames(`${SECRET}2`).refresh('Basic a', 'b'),
    calls('Basic a'),
    invalidations,
    refreshes,
    checkKey,
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^receivables:\w+:[\w-]{43}$/.test(name))).toEqual([]);
});
