import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RedisTrouble } from '../../src/sharing/events.ts';
import type { RedisClientEvents } from '../../src/sharing/redis-client.ts';
import { RedisLink } from '../../src/sharing/redis-link.ts';
import { createSharedStates } from '../../src/sharing/shared-states.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('a move that is always refused is tried about once a second, for an hour, or until the link is closed', async () => {
  let tries = 0;
  let events: RedisClientEvents | undefined;
  const link = new RedisLink({
    url: 'redis://unused',
    checkKey: 'check',
    async open(_url, _deadlineMs, clientEvents) {
      events = clientEvents;
      return {
        async command(name) {
          if (name !== 'EVAL') return 'OK';
          tries += 1;
          throw new RedisTrouble('NOPERM');
        },
        subscribe: async () => 'OK',
        reconnect() {},
        close() {},
      };
    },
  });
  const states = createSharedStates(link, 'channel');
  await vi.advanceTimersByTimeAsync(0);
  events?.onReady();
  await vi.advanceTimersByTimeAsync(0);
  states.moveEventually('key', [''], 'done x', 1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBeGreaterThan(50);
  expect(tries).toBeLessThan(70);
  await vi.advanceTimersByTimeAsync(3_600_000);
  const afterAnHour = tries;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(afterAnHour);

  states.moveEventually('key', [''], 'done x', 1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tries).toBeGreaterThan(afterAnHour);
  link.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
