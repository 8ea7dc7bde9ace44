import { expect, test } from 'vitest';
import { retryDelay } from '../../src/changes/poller.ts';
import { nextWatermark } from '../../src/changes/position.ts';
import { RestError } from '../../src/rest/errors.ts';

test.each([
  ['moves on with each scan', 1_000, 71_000, 11_000],
  ['stays if the next scan starts at once', 1_000, 61_000, 1_000],
  ['stays if the clock of the service is slightly slow', 1_000, 60_000, 1_000],
  ['goes back if the clock of the service is set back', 1_000_000, 100_000, 40_000],
])('the watermark of a stream %s', (_what, mark, start, expected) => {
  expect(nextWatermark(mark, start, 60_000)).toBe(expected);
});

const limited = (retryAfter: number) => new RestError('RATE_LIMITED', 'Slow down.', { retryAfter });

test.each([
  ['twice the interval', new Error('no'), 1, 10_000],
  ['at most a minute after many errors', new Error('no'), 50, 60_000],
  ['for `Retry-After`', limited(120), 1, 120_000],
  ['at most five minutes for `Retry-After`', limited(9_999_999), 1, 300_000],
])('after an error a poller waits %s', (_what, error, failures, expected) => {
  expect(retryDelay(error, 5_000, failures)).toBe(expected);
});
