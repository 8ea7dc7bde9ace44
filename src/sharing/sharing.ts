import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashableKey } from '../composite-key.ts';
import type { Config } from '../config/index.ts';
import type { RestCache } from '../rest/cache/rest-cache.ts';
import type { CountSharedCall } from '../rest/call-limit.ts';
import { openRedis, type SharingState } from './redis.ts';
import { createRefreshes } from './refreshes.ts';

type LocalCache = Pick<RestCache, 'invalidate' | 'invalidateAll'>;

const ALL = '*';

/** Shares state between replicas through Redis. While Redis is lost, and at the start, each replica works alone. */
export function createSharing(
  { redisUrl, secret, deadlineMs }: NonNullable<Config['sharing']>,
  restTimeoutMs: number,
  onStateChange: (state: SharingState, reason?: string) => void,
) {
  /** Names in Redis are keyed hashes, which reveal nothing without the secret. */
  const hash = (...parts: readonly string[]) =>
    createHmac('sha256', secret)
      .update(hashableKey(...parts))
      .digest();
  const createName = (use: string, ...parts: readonly string[]) =>
    `receivables:${use}:${hash(use, ...parts).toString('base64url')}`;
  const channel = createName('invalidations');
  const ownSender = randomBytes(12).toString('base64url');
  let cache: LocalCache | undefined;

  const redis = openRedis({
    url: redisUrl,
    checkKey: createName('check'),
    channel,
    commandMs: deadlineMs,
    onMessage(message) {
      const [sender, credential = ''] = message.split(' ');
      if (sender === ownSender) return;
      if (credential === ALL) cache?.invalidateAll();
      else cache?.invalidate(credential);
    },
    // Until Redis is connected, invalidations are lost in both directions.
    onStateChange(state, reason) {
      onStateChange(state, reason);
      cache?.invalidateAll();
      if (state === 'connected') void broadcastInvalidation(ALL);
    },
  });

  /** Sends the script whole each time, since it is short and rare. */
  const run = (script: string, key: string, ...args: (string | number)[]) =>
    redis.command('EVAL', script, 1, key, ...args);

  async function broadcastInvalidation(credential: string): Promise<void> {
    await redis.command('PUBLISH', channel, `${ownSender} ${credential}`).catch(() => {});
  }

  const countCall: CountSharedCall = async (credential, windowMs) => {
    const reply = await run(COUNT_CALL, createName('calls', credential), windowMs).catch(() => []);
    const [used, resetMs] = Array.isArray(reply) ? reply.map(Number) : [];
    return used === undefined || resetMs === undefined ? undefined : { used, resetMs };
  };

  const refreshes = createRefreshes(
    {
      move: async (key, from, to, lifeMs) => String(await run(MOVE, key, to, lifeMs, ...from)),
      pause: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
      now: () => performance.now(),
    },
    (...parts) => createName('refresh', ...parts),
    { secret, restTimeoutMs },
  );
  return {
    refreshes,
    countCall,
    cache: { credentialKey: hash('credentials'), broadcastInvalidation },
    /** Drops a credential's data here when it writes or is rejected at another replica. */
    attachCache(local: LocalCache): void {
      cache = local;
    },
    stats: redis.stats,
    close: redis.close,
  };
}

/** KEYS: the state. ARGV: the new state, which is empty if free; its lifetime; the states that it replaces. */
export const MOVE = `
local state = redis.call('GET', KEYS[1]) or ''
for index = 3, #ARGV do
  if state == ARGV[index] then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return ARGV[1]
  end
end
return state`;

/** KEYS: the calls of a credential since its window began. ARGV: the length of the window. */
export const COUNT_CALL = `
local used = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`;
