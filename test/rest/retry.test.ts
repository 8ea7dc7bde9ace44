import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { withRetries } from '../../src/rest/client/client.ts';
import { RestError } from '../../src/rest/errors.ts';

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
async function read(errors: readonly unknown[]) {
  const tries: number[] = [];
  const start = performance.now();
  const run = async () => {
    const error = errors[tries.length];
    tries.push(performance.now() - start);
    if (error !== undefined) throw error;
    return 'rows';
  };
  const deadline = start + 10_000;
  const sender = { cancellation: new Cancellation(), mayRetry: () => true };
  const outcome = withRetries(run, sender, deadline).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { outcome: await outcome, tries };
}

/** Which answers are tried again, and how often, is in test/resilience/outbound/retries.test.ts. */
test.each([
  [0, [0, 25, 100]],
  [0.5, [0, 50, 200]],
  [0.98, [0, 74, 296]],
])(
  'a read is tried again after a moment, with jitter: for a random number of %f at %j ms',
  async (random, tries) => {
    vi.mocked(Math.random).mockReturnValue(random);
    expect(await read([BROKEN, answered(503)])).toEqual({ outcome: 'rows', tries });
  },
);

test.each([
  ['a 429', answered(429, 1), 1_050],
  ['a 503', answered(503, 2), 2_050],
])('a read is not tried again before %s says', async (_what, error, wait) => {
  expect(await read([error])).toEqual({ outcome: 'rows', tries: [0, wait] });
});

test('a pause before a retry ends with its operation, and no timer stays', async () => {
  const cancellation = new Cancellation();
  const failing = () => Promise.reject(answered(503, 2));
  const sender = { cancellation, mayRetry: () => true };
  const outcome = withRetries(failing, sender, performance.now() + 10_000).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(1);
  cancellation.abort('closed');
  expect(await outcome).toBeInstanceOf(RestError);
  expect(vi.getTimerCount()).toBe(0);
});
