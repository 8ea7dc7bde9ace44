import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COUNT_CALL, MOVE } from '../../src/sharing/sharing.ts';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { casesOf } from '../support/search.ts';
import { moveState } from './refresh-model.ts';

const LONG_MS = 100_000;

describeWithRedis('a script in Redis', () => {
  let server: TestRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  test('changes states like the model of the protocol', async () => {
    const state = fc.constantFrom('', 'sent a', 'sent b', 'unknown', 'done x', 'refused y');
    const moves = fc.array(fc.tuple(fc.uniqueArray(state), state), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(moves, async (made) => {
        await redis.flushall();
        let expected = '';
        for (const [from, to] of made) {
          expected = moveState(expected, from, to);
          expect(await redis.eval(MOVE, 1, 'state', to, LONG_MS, ...from)).toBe(expected);
          expect((await redis.get('state')) ?? '').toBe(expected);
        }
      }),
      { numRuns: casesOf({ short: 10, long: 50 }) },
    );
  });

  test('sets the time to live when it changes a state', async () => {
    await redis.flushall();
    await redis.eval(MOVE, 1, 'state', 'sent a', LONG_MS, '');
    expect(await redis.pttl('state')).toBeGreaterThan(LONG_MS / 2);
    // Not moved, so not prolonged.
    await redis.eval(MOVE, 1, 'state', 'sent b', 10 * LONG_MS, '');
    expect(await redis.pttl('state')).toBeLessThanOrEqual(LONG_MS);
  });

  test('counts calls in a window with an end', async () => {
    await redis.flushall();
    for (const used of [1, 2, 3])
      expect(await redis.eval(COUNT_CALL, 1, 'calls', LONG_MS)).toEqual([used, expect.any(Number)]);
    expect(await redis.pttl('calls')).toBeGreaterThan(0);
  });
});
