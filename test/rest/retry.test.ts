import { afterEach, expect, test, vi } from 'vitest';
import { RestError } from '../../src/rest/errors.ts';
import { getRetryDelay } from '../../src/rest/make-call.ts';

const upstream = { method: 'GET', path: '/v1/debtors' };
const answered = (status: number, retryAfter?: number) =>
  new RestError(status === 429 ? 'RATE_LIMITED' : 'UPSTREAM_UNAVAILABLE', 'failed', {
    upstream: { ...upstream, status },
    retryAfter,
  });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Which answers are tried again, and how often, is in test/resilience/outbound/retries.test.ts. */
test.each([
  ['a moment with jitter', answered(503), 0, [25, 75]],
  ['longer the second time', answered(503), 1, [75, 225]],
  ['for the Retry-After of a 429', answered(429, 1), 0, [1_025, 1_075]],
  ['for the Retry-After of a 503', answered(503, 2), 0, [2_025, 2_075]],
])('a retry of a read waits %s', (_what, error, retries, range) => {
  const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(1);
  expect([getRetryDelay(error, retries), getRetryDelay(error, retries)]).toEqual(range);
  expect(random).toHaveBeenCalledTimes(2);
});
