import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { BASIC, BEARER, useGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';

const NOW = Date.UTC(2025, 6, 1, 12);
const gateway = await useGateway();
const hasty = await useGateway({ gateway: { restTimeoutMs: 300 } });

const limited = (retryAfter?: string) =>
  ({
    kind: 'status',
    status: 429,
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
  }) as const;

describe('a read', () => {
  const passing = [
    ['a reset connection', { kind: 'reset' }],
    ['a 502', { kind: 'status', status: 502 }],
    ['a 503', { kind: 'status', status: 503 }],
    ['a 504', { kind: 'status', status: 504 }],
    ['a 429 with a short Retry-After', limited('0')],
  ] as const;

  test.each(passing)('is sent at most three times after %s', async (_what, fault) => {
    gateway.rest.misbehave({ ...fault, times: 2 });
    const answer = await gateway.query(DEBTORS);
    expect(answer.errors).toBeUndefined();
    expect(answer.extensions.cost).toMatchObject({ calls: 3 });
    gateway.rest.misbehave({ ...fault, times: 3 });
    const code = fault.kind === 'status' && fault.status === 429 ? 'RATE_LIMITED' : 'UPSTREAM_UNAVAILABLE';
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([code]);
    expect(gateway.rest.calls).toHaveLength(6);
  });

  test.each([
    ['a number', '30', 30],
    ['a date', new Date(NOW + 30_000).toUTCString(), 30],
    ['a huge number', '99999999999', 99_999_999_999],
  ])('fails at once after a long Retry-After, and says so: %s', async (_what, retryAfter, seconds) => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(NOW);
    onTestFinished(() => now.mockRestore());
    gateway.rest.misbehave(limited(retryAfter));
    const answer = await gateway.query(DEBTORS);
    expect(codesOf(answer)).toEqual(['RATE_LIMITED']);
    expect(answer.errors?.[0]?.extensions.retryAfter).toBe(seconds);
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('is not retried after its timeout', async () => {
    hasty.rest.misbehave(limited('1'));
    expect(codesOf(await hasty.query(DEBTORS))).toEqual(['RATE_LIMITED']);
    expect(hasty.rest.calls).toHaveLength(1);
  });

  test.each([
    [400, 'BAD_USER_INPUT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [422, 'BAD_USER_INPUT'],
    [429, 'RATE_LIMITED'],
    [307, 'UPSTREAM_INVALID_RESPONSE'],
    [500, 'UPSTREAM_UNAVAILABLE'],
    [501, 'UPSTREAM_UNAVAILABLE'],
  ])('is sent once if the response is %i', async (status, code) => {
    const headers = { location: `${gateway.rest.url}/v1/debtors` };
    gateway.rest.misbehave({ kind: 'status', status, headers, times: 3 });
    const answer = await gateway.query(DEBTORS);
    expect(codesOf(answer)).toEqual([code]);
    expect(answer.errors?.[0]?.extensions.upstream).toMatchObject({ status });
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('shows the message of the service for a 4xx, but not for a 5xx', async () => {
    gateway.rest.misbehave({
      kind: 'status',
      status: 400,
      body: JSON.stringify({ code: 'odd', message: 'so odd'.repeat(99) }),
    });
    const refused = await gateway.query(DEBTORS);
    expect(refused.errors?.[0]?.extensions.upstream).toMatchObject({
      code: 'odd',
      message: 'so odd'.repeat(99).slice(0, 500),
    });
    gateway.rest.misbehave({
      kind: 'status',
      status: 500,
      body: '{"code":"odd","message":"at db.internal"}',
    });
    const failed = await gateway.query(DEBTORS);
    expect(failed.errors?.[0]?.extensions.upstream).toEqual({
      method: 'GET',
      path: '/v1/debtors',
      status: 500,
    });
    expect(failed.text).not.toContain('db.internal');
  });
});

describe('a write or a token call is sent once:', () => {
  const operations = {
    ...WRITES,
    refreshAccessToken: [
      'mutation { refreshAccessToken(input: { refreshToken: "x" }) { token { accessToken } } }',
      BASIC,
    ],
    createClientCredentialsToken: [
      'mutation { createClientCredentialsToken { token { accessToken } } }',
      BASIC,
    ],
    viewer: ['{ viewer { clientId } }', BEARER],
  } as const;
  const faults = {
    'a reset connection': [{ kind: 'reset' }, 'UPSTREAM_UNAVAILABLE'],
    'a 503': [{ kind: 'status', status: 503 }, 'UPSTREAM_UNAVAILABLE'],
    'a 429 with a short Retry-After': [limited('0'), 'RATE_LIMITED'],
    'an incomplete response': [{ kind: 'truncate' }, 'UPSTREAM_INVALID_RESPONSE'],
    // It keeps the method, so a client that follows redirects would repeat a write, and send its credential elsewhere.
    'a redirect': [
      { kind: 'status', status: 307, headers: { location: `${gateway.rest.url}/v1/debtors` } },
      'UPSTREAM_INVALID_RESPONSE',
    ],
  } as const;
  const cases = Object.entries(operations).flatMap(([name, [operation, headers]]) =>
    Object.entries(faults).map(
      ([what, [fault, code]]) => ({ name, what, operation, headers, fault, code }) as const,
    ),
  );

  test.each(cases)('$name, with $what', async ({ operation, headers, fault, code }) => {
    gateway.rest.misbehave({ ...fault, times: 3 });
    expect(codesOf(await gateway.query(operation, {}, headers))).toEqual([code]);
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('all of them, without a response', async () => {
    hasty.rest.misbehave({ kind: 'hang', times: 99 });
    const answers = Object.values(operations).map(([operation, headers]) =>
      hasty.query(operation, {}, headers),
    );
    const codes = (await Promise.all(answers)).flatMap(codesOf);
    expect(codes).toEqual(answers.map(() => 'UPSTREAM_TIMEOUT'));
    expect(hasty.rest.calls).toHaveLength(answers.length);
  });
});
