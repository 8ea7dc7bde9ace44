import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reserve } from '../limits/call-limit.ts';
import { createNames } from './names.ts';
import { openRedis, type SharingEvents } from './redis.ts';
import { createRefreshes } from './refreshes.ts';

export interface SharingOptions {
  readonly redisUrl: string;
  /** Of the deployment: replicas with the same secret share. */
  readonly secret: string;
  /** How long Redis may take for a command; 250 ms by default. */
  readonly deadlineMs?: number;
}

/** The local cache, whose credentials are known by hashes that all replicas share. */
interface LocalCache {
  drop(credential: string): void;
  dropAll(): void;
}

const ALL = '*';

/** What replicas share through Redis. While it is lost, and at the start, each works as it would alone. */
export function createSharing(
  { redisUrl, secret, deadlineMs }: SharingOptions,
  { restTimeoutMs, events }: { readonly restTimeoutMs: number; readonly events?: SharingEvents | undefined },
) {
  const names = createNames(secret);
  /** This replica has dropped by itself what it tells others to drop. */
  const ownSender = randomBytes(12).toString('base64url');
  let cache: LocalCache | undefined;
  let hasUntold = false;

  const redis = openRedis({
    url: redisUrl,
    checkKey: names.checkKey,
    channel: names.invalidations,
    commandMs: deadlineMs,
    onMessage(message) {
      const [sender, credential = ''] = message.split(' ');
      if (sender === ownSender) return;
      if (credential === ALL) cache?.dropAll();
      else cache?.drop(credential);
    },
    // Messages may be missed while it is lost. What this replica could not tell, others learn when it is back.
    onStateChange(state, reason) {
      events?.onStateChange?.(state, reason);
      cache?.dropAll();
      if (state !== 'connected' || !hasUntold) return;
      hasUntold = false;
      void tell(ALL);
    },
  });

  /** Runs a Lua script on one key. It is sent whole each time, since it is short and seldom sent. */
  const run = (script: string, key: string, ...args: (string | number)[]) =>
    redis.command('EVAL', script, 1, key, ...args);

  /** Resolves once Redis has passed it on, or could not. */
  async function tell(credential: string): Promise<void> {
    try {
      await redis.command('PUBLISH', names.invalidations, `${ownSender} ${credential}`);
    } catch {
      hasUntold = true;
    }
  }

  /** Reserves calls for all replicas together; undefined if Redis is lost. */
  const reserve: Reserve = async (credential, { limit, wanted, windowMs }) => {
    const reply = await run(RESERVE, names.calls(credential), limit, wanted, windowMs).catch(() => []);
    const [granted, used, resetMs] = Array.isArray(reply) ? reply.map(Number) : [];
    if (granted === undefined || used === undefined || resetMs === undefined) return undefined;
    return { granted, used, resetMs };
  };

  const refreshes = createRefreshes(
    {
      move: async (key, from, to, lifeMs) => String(await run(MOVE, key, to, lifeMs, ...from)),
      pause: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
      now: () => performance.now(),
    },
    names,
    { secret, restTimeoutMs },
  );
  return {
    refreshes,
    reserve,
    cache: { credentialKey: names.credentialKey, tell },
    /** Drops what a credential has read here when it writes or is rejected at another replica. */
    keepInStep(local: LocalCache): void {
      cache = local;
    },
    stats: () => ({ state: redis.state(), counters: redis.counters }),
    close: redis.close,
  };
}

/** KEYS: the state. ARGV: the new state, or nothing for none; its life; the states that it replaces. */
export const MOVE = `
local state = redis.call('GET', KEYS[1]) or ''
for index = 3, #ARGV do
  if state == ARGV[index] then
    if ARGV[1] == '' then
      redis.call('DEL', KEYS[1])
    else
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    end
    return ARGV[1]
  end
end
return state`;

/**
 * KEYS: the calls of a credential since its window began. ARGV: the limit, how many calls are wanted, the length of the
 * window. Grants a quarter of what is left at most, so that no replica holds much that others lack.
 */
export const RESERVE = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = math.max(0, tonumber(ARGV[1]) - used)
local granted = math.min(tonumber(ARGV[2]), math.ceil(left / 4))
if granted > 0 then
  used = redis.call('INCRBY', KEYS[1], granted)
end
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return {granted, used, redis.call('PTTL', KEYS[1])}`;
