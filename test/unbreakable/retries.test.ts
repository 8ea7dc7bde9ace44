import { describe, expect, test } from 'vitest';
import { startDemoService } from '../../src/demo/service.ts';
import { BASIC, BEARER, OTHER_BEARER } from '../support/gateway.ts';
import { codesOf, DEBTORS, debtors, eventually, freshGateway, timed, times } from './support.ts';

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
    ['a 429 that says when it ends', limited('0')],
  ] as const;

  test.each(passing)('is tried again after %s, and nobody notices', async (_what, fault) => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ ...fault, times: 2 });
    const answer = await gateway.query(DEBTORS);
    expect(answer.errors).toBeUndefined();
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 1, calls: 3 });
    expect(gateway.rest.calls).toHaveLength(3);
  });

  test.each(passing)('is tried three times at most with %s', async (_what, fault) => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ ...fault, times: 100 });
    const code = fault.kind === 'status' && fault.status === 429 ? 'RATE_LIMITED' : 'UPSTREAM_UNAVAILABLE';
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([code]);
    expect(gateway.rest.calls).toHaveLength(3);
  });

  test('of a service that is not there fails, until it is', async () => {
    const gateway = await freshGateway();
    const port = Number(new URL(gateway.rest.url).port);
    await gateway.rest.close();
    expect(codesOf(await gateway.query(DEBTORS))).toEqual(['UPSTREAM_UNAVAILABLE']);
    const back = await startDemoService({ port });
    await eventually(async () => expect(codesOf(await gateway.query(DEBTORS))).toEqual([]));
    await back.close();
  });

  test('is not tried again earlier than the service asks', async () => {
    const gateway = await freshGateway();
    gateway.rest.misbehave(limited('1'));
    const { result, milliseconds } = await timed(() => gateway.query(DEBTORS));
    expect(result.errors).toBeUndefined();
    expect(milliseconds).toBeGreaterThan(990);
    expect(gateway.rest.calls).toHaveLength(2);
  });

  test.each([
    ['a number', () => '30', 30],
    ['a date', () => new Date(Date.now() + 30_000).toUTCString(), 30],
    ['a huge number', () => '99999999999', 99_999_999_999],
  ])('that has to wait long is left to its caller, told by %s', async (_what, retryAfter, seconds) => {
    const gateway = await freshGateway();
    gateway.rest.misbehave(limited(retryAfter()));
    const { result, milliseconds } = await timed(() => gateway.query(DEBTORS));
    expect(codesOf(result)).toEqual(['RATE_LIMITED']);
    const told = Number(result.errors?.[0]?.extensions.retryAfter);
    expect(Math.abs(told - seconds)).toBeLessThan(5);
    expect(milliseconds).toBeLessThan(2000);
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('is not tried again after its deadline', async () => {
    const gateway = await freshGateway({ gateway: { restTimeoutMs: 500 } });
    gateway.rest.misbehave(limited('1'));
    expect(codesOf(await gateway.query(DEBTORS))).toEqual(['RATE_LIMITED']);
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test.each([
    [400, 'BAD_USER_INPUT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [422, 'BAD_USER_INPUT'],
    [429, 'RATE_LIMITED'],
    [500, 'UPSTREAM_UNAVAILABLE'],
    [501, 'UPSTREAM_UNAVAILABLE'],
  ])('answered with %i is sent once', async (status, code) => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ kind: 'status', status, times: 3 });
    const answer = await gateway.query(DEBTORS);
    expect(codesOf(answer)).toEqual([code]);
    expect(answer.errors?.[0]?.extensions.upstream).toMatchObject({ status });
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('of the service’s own words shows those of a 4xx, and none of a 5xx', async () => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ kind: 'status', status: 400, body: '{"code":"odd","message":"so odd"}' });
    const refused = await gateway.query(DEBTORS);
    expect(refused.errors?.[0]?.extensions.upstream).toMatchObject({ code: 'odd', message: 'so odd' });
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

describe('a failing service', () => {
  test('is burdened by a caller with few extra calls, however many it makes', async () => {
    const gateway = await freshGateway();
    // Tried again, but no outage: calls go on reaching the service.
    gateway.rest.misbehave({ ...limited('0'), times: 1e6 });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(times(10, (index) => gateway.query(debtors(index))));
    }
    const reads = gateway.rest.calls.length;
    expect(reads).toBeGreaterThan(200);
    expect(reads).toBeLessThanOrEqual(200 + 10 + 0.1 * 200);
  });

  test('for one caller leaves another its retries', async () => {
    const gateway = await freshGateway();
    const others = (first: number) =>
      `{ debtors(administrationId: "2001", first: ${first}) { nodes { internalId } } }`;
    await gateway.query(DEBTORS, {}, BEARER);
    await gateway.query(others(1), {}, OTHER_BEARER);
    gateway.rest.misbehave({
      ...limited('0'),
      match: { authorization: BEARER.authorization },
      times: 1e6,
    });
    await Promise.all(times(50, (index) => gateway.query(debtors(index))));
    gateway.rest.misbehave({
      ...limited('0'),
      match: { authorization: OTHER_BEARER.authorization },
      times: 2,
    });
    expect(codesOf(await gateway.query(others(2), {}, OTHER_BEARER))).toEqual([]);
  });
});

describe('a write or a token call is sent once', () => {
  const operations = {
    unmarkTaskCompleted: [
      'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }',
      BEARER,
    ],
    updateMessages: [
      'mutation { updateMessages(input: { administrationId: "1001", messages: [{ id: "1", read: true }] }) { count } }',
      BEARER,
    ],
    refreshAccessToken: [
      'mutation { refreshAccessToken(input: { refreshToken: "x" }) { token { accessToken } } }',
      BASIC,
    ],
    createClientCredentialsToken: [
      'mutation { createClientCredentialsToken { token { accessToken } } }',
      BASIC,
    ],
    introspectToken: ['mutation { introspectToken(input: { token: "x" }) { active } }', BASIC],
    viewer: ['{ viewer { clientId } }', BEARER],
  } as const;
  const faults = {
    'a reset connection': [{ kind: 'reset' }, 'UPSTREAM_UNAVAILABLE'],
    'a 503': [{ kind: 'status', status: 503 }, 'UPSTREAM_UNAVAILABLE'],
    'a 429 that ends soon': [limited('0'), 'RATE_LIMITED'],
    'no answer': [{ kind: 'hang' }, 'UPSTREAM_TIMEOUT'],
    'half an answer': [{ kind: 'truncate' }, 'UPSTREAM_INVALID_RESPONSE'],
  } as const;
  const cases = Object.entries(operations).flatMap(([name, [operation, headers]]) =>
    Object.entries(faults).map(
      ([what, [fault, code]]) => ({ name, what, operation, headers, fault, code }) as const,
    ),
  );

  test.each(cases)('$name, with $what', async ({ operation, headers, fault, code }) => {
    const gateway = await freshGateway({ gateway: { restTimeoutMs: 300 } });
    gateway.rest.misbehave({ ...fault, times: 3 });
    expect(codesOf(await gateway.query(operation, {}, headers))).toEqual([code]);
    expect(gateway.rest.calls).toHaveLength(1);
  });
});
