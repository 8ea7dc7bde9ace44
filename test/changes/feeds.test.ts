import { expect, onTestFinished, test, vi } from 'vitest';
import type { Subscriber } from '../../src/changes/change.ts';
import { ChangeFeeds } from '../../src/changes/feeds.ts';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { RestError } from '../../src/rest/errors.ts';
import { fieldsOf } from '../../src/rest/fields.ts';
import { withResolver } from '../support/with-resolver.ts';
import { source } from './source.ts';

/** Of a service that asks to be left alone for a minute. */
const caller: Subscriber = {
  credential: 'one',
  createRest() {
    throw new RestError('RATE_LIMITED', 'Slow down.', { retryAfter: 60 });
  },
  dropCached: () => undefined,
};

function feedsInFakeTime() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const feeds = new ChangeFeeds({ pollMs: 5_000, lookbackMs: 5_000, cacheTtlMs: 0 });
  const open = (expiresAt: Promise<number>) =>
    feeds.open(
      caller,
      {
        administrationId: '1001',
        kinds: [{ source, fields: fieldsOf(['name']) }],
        since: new Date(0).toISOString(),
      },
      { cancellation: new Cancellation(), expiresAt },
    );
  return { feeds, open };
}

test.each([
  ['with the gateway, if its token expires later', 3_600_000, 30_000],
  ['before its token expires, if the gateway stops later', 20_000, 10_000],
])('a stream ends %s, also where that is told last', async (_when, expiresMs, endsMs) => {
  const { feeds, open } = feedsInFakeTime();
  const { promise: expiresAt, resolve } = withResolver<number>();
  const [, stream] = await Promise.all([open(expiresAt), open(expiresAt)]);
  feeds.end(60_000);
  resolve(Date.now() + expiresMs);
  await vi.advanceTimersByTimeAsync(endsMs - 1);
  expect(stream.isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(stream.isClosed).toBe(true);
});
