import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { withRetries } from '../../src/rest/client/retry.ts';
import { RestError } from '../../src/rest/errors.ts';
import { times } from '../support/times.ts';

const upstream = { method: 'GET', path: '/v1/debtors' };
const answered = (status: number, retryAfter?: number) =>
  new RestError(status === 429 ? 'RATE_LIMITED' : 'UPSTREAM_UNAVAILABLE', 'failed', {
    upstream: { ...upstream, status },
    retryAfter,
  });
const BROKEN = new RestError('UPSTREAM_UNAVAILABLE', 'broken', { upstream });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // The middle of the jitter.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Runs a read that fails with these errors, one try after another, and then succeeds. */
async function read(
  errors: readonly unknown[],
  {
    cancellation = new Cancellation(),
    timeoutMs = 10_000,
    mayRetry = (_error: unknown): boolean => true,
  } = {},
) {
  const tries: number[] = [];
  const start = performance.now();
  const run = async () => {
    const error = errors[tries.length];
    tries.push(performance.now() - start);
    if (error !== undefined) throw error;
    return 'rows';
  };
  const deadline = start + timeoutMs;
  const outcome = withRetries(run, { cancellation, mayRetry }, deadline).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { outcome: await outcome, tries };
}

describe('a read is tried again', () => {
  test.each([
    ['a broken connection', BROKEN],
    ['a 502', answered(502)],
    ['a 503', answered(503)],
    ['a 504', answered(504)],
  ])('after %s: 50 ms later, and 150 ms after that', async (_what, error) => {
    expect(await read([error, error])).toEqual({ outcome: 'rows', tries: [0, 50, 200] });
  });

  test('twice at most', async () => {
    const errors = times(3, () => answered(503));
    expect(await read(errors)).toEqual({ outcome: errors[2], tries: [0, 50, 200] });
  });

  test.each([
    [0, [0, 25, 100]],
    [0.98, [0, 74, 296]],
  ])('with jitter: for a random number of %f at %j ms', async (random, tries) => {
    vi.mocked(Math.random).mockReturnValue(random);
    expect((await read([BROKEN, BROKEN])).tries).toEqual(tries);
  });

  test.each([
    ['a 429', answered(429, 1), 1_050],
    ['a 503', answered(503, 2), 2_050],
    ['a 429 that ends at once', answered(429, 0), 50],
  ])('not before %s says', async (_what, error, wait) => {
    expect(await read([error])).toEqual({ outcome: 'rows', tries: [0, wait] });
  });
});

describe('a read is not tried again', () => {
  test.each([
    ['a 429 that does not say when it ends', answered(429)],
    ['a wait of more than two seconds', answered(503, 2.001)],
    ['a 500', answered(500)],
    ['a 501', answered(501)],
    ['a deadline', new RestError('UPSTREAM_TIMEOUT', 'late', { upstream })],
    ['an open circuit breaker, which names no call', new RestError('UPSTREAM_UNAVAILABLE', 'open')],
    ['a refusal', new RestError('NOT_FOUND', 'none', { upstream: { ...upstream, status: 404 } })],
    ['an error that is no RestError', new Error('unforeseen')],
  ])('after %s', async (_what, error) => {
    expect(await read([error])).toEqual({ outcome: error, tries: [0] });
  });

  test.each([
    [50, 1],
    [51, 2],
    [200, 2],
    [201, 3],
  ])('after a deadline of %i ms: %i tries', async (milliseconds, count) => {
    const { tries } = await read([BROKEN, BROKEN], { timeoutMs: milliseconds });
    expect(tries).toHaveLength(count);
  });

  test('once its operation has ended', async () => {
    const cancellation = new Cancellation();
    cancellation.abort('closed');
    expect(await read([BROKEN], { cancellation })).toEqual({ outcome: BROKEN, tries: [0] });
  });

  test('where its operation may make no more calls', async () => {
    const asked: unknown[] = [];
    const mayRetry = (error: unknown) => asked.push(error) === 0;
    expect(await read([BROKEN], { mayRetry })).toEqual({ outcome: BROKEN, tries: [0] });
    expect(asked).toEqual([BROKEN]);
  });
});

test('a pause before a retry ends with its operation, and no timer stays', async () => {
  const cancellation = new Cancellation();
  const errors = [answered(503, 2), BROKEN];
  let tries = 0;
  const outcome = withRetries(
    () => Promise.reject(errors[tries++]),
    { cancellation, mayRetry: () => true },
    performance.now() + 10_000,
  ).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(1);
  cancellation.abort('closed');
  expect(await outcome).toBe(BROKEN);
  expect(tries).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});
