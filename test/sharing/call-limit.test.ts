import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallLimit } from '../../src/rest/call-limit.ts';
import { page, UNMARK } from '../cache/support.ts';
import { codesOf } from '../support/answers.ts';
import { stopClock } from '../support/clock.ts';
import { freshGateway, OTHER_BEARER } from '../support/gateway.ts';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { times } from '../support/times.ts';
import { startReplicas } from './support.ts';

const DEBTORS = page('name');

describe('CREDENTIAL_CALLS_PER_MINUTE', () => {
  test('limits the REST calls of a credential, with an error that says when to retry', async () => {
    const { advance } = stopClock();
    const gateway = await freshGateway({ gateway: { credentialCallsPerMinute: 2 } });
    // An answer without a REST call does not begin the minute.
    await gateway.query('{ __typename }');
    advance(1_000);
    const first = await gateway.query(DEBTORS);
    expect(first.headers.get('ratelimit-policy')).toBe('"credential";q=2;w=60');
    expect(first.headers.get('ratelimit')).toBe('"credential";r=1;t=60');
    advance(20_000);
    await gateway.query(DEBTORS);
    const refused = await gateway.query(DEBTORS);
    expect(refused.errors).toMatchObject([
      { path: ['debtors'], extensions: { code: 'RATE_LIMITED', retryAfter: 40 } },
    ]);
    expect(refused.headers.get('ratelimit')).toBe('"credential";r=0;t=40');
    expect(gateway.calls()).toHaveLength(2);
    expect((await gateway.query(DEBTORS, {}, OTHER_BEARER)).errors).not.toMatchObject([
      { extensions: { code: 'RATE_LIMITED' } },
    ]);
    advance(40_001);
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  });

  test('counts retries, but not cached or coalesced reads', async () => {
    const gateway = await freshGateway({ gateway: { credentialCallsPerMinute: 3, cacheTtlMs: 60_000 } });
    gateway.rest.misbehave({ kind: 'reset' });
    const answers = await Promise.all([gateway.query(DEBTORS), gateway.query(DEBTORS)]);
    expect(answers.flatMap(codesOf)).toEqual([]);
    const cached = await gateway.query(DEBTORS);
    expect(cached.headers.get('ratelimit')).toMatch(/r=1;/);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('makes the remaining writes of a mutation fail, each with its error', async () => {
    const gateway = await freshGateway({ gateway: { credentialCallsPerMinute: 1 } });
    const write = UNMARK.replace(/^mutation \{|\}$/g, '');
    const { data, errors } = await gateway.query(`mutation { a: ${write} b: ${write} }`);
    expect(data).toMatchObject({ a: { task: { internalId: '400001' } }, b: null });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'RATE_LIMITED' } }]);
  });
});

test('a limit that processes share counts without waiting for the others', async () => {
  let answer = (_used: number) => {};
  const limit = new CallLimit(
    5,
    () =>
      new Promise((resolve) => {
        answer = (used) => resolve({ used, resetMs: 60_000 });
      }),
  );
  expect(limit.take('credential')).toBe(true);
  answer(4);
  await expect.poll(() => limit.getQuota('credential')).toMatchObject({ limit: 5, remaining: 1 });
  // Until there is a response, it counts alone from there.
  expect([limit.take('credential'), limit.take('credential')]).toEqual([true, false]);
  expect(limit.getQuota('other')).toMatchObject({ limit: 5, remaining: 5 });
});

describeWithRedis('replicas', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test('share the limit of calls of a credential', async () => {
    const { a, b, rest } = await startReplicas(redis.url, { credentialCallsPerMinute: 8 });
    const answers = [];
    for (const gateway of times(6, () => [a, b]).flat()) answers.push(await gateway.query(DEBTORS));
    const refused = answers.filter((answer) => codesOf(answer).includes('RATE_LIMITED'));
    // A replica learns of the other's last call with its own next one.
    expect([8, 9, 10]).toContain(rest.calls.length);
    expect(refused).toHaveLength(12 - rest.calls.length);
    expect(refused[0]?.errors?.[0]?.extensions.retryAfter).toBeGreaterThan(0);
  });
});
