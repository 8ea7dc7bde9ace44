import { randomBytes } from 'node:crypto';
import type { Reserve } from '../limits/call-limit.ts';
import type { SharingEvents, SharingState } from './events.ts';
import { createNames, type Names } from './names.ts';
import { RedisLink } from './redis-link.ts';
import { createRefreshes } from './refreshes.ts';
import { createSharedStates } from './shared-states.ts';

export interface SharingOptions {
  readonly redisUrl: string;
  /** Of the deployment: replicas with the same secret share. */
  readonly secret: string;
  /** How long Redis may take for a command; 50 ms by default. */
  readonly deadlineMs?: number;
}

export type Sharing = ReturnType<typeof createSharing>;

/** What replicas share through Redis. While it is lost, and at the start, each works as it would alone. */
export function createSharing(
  { redisUrl, secret, deadlineMs }: SharingOptions,
  { restTimeoutMs, events }: { readonly restTimeoutMs: number; readonly events?: SharingEvents | undefined },
) {
  const names = createNames(secret);
  const link = new RedisLink({ url: redisUrl, checkKey: names.checkKey, events, deadlineMs });
  const states = createSharedStates(link, names.refreshes);
  const { tell, keepInStep } = createInvalidations(link, names.invalidations);
  return {
    refreshes: createRefreshes(states, names, { secret, restTimeoutMs }),
    reserve: createReserve(link, names),
    cache: { credentialKey: names.credentialKey, tell },
    /** Keeps a local cache in step; to be called at once. */
    keepInStep,
    get state(): SharingState {
      return link.state.current;
    },
    counters: link.counters,
    close: () => link.close(),
  };
}

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

/** Reserves calls in Redis, for all replicas together; undefined if Redis is lost. */
function createReserve(link: RedisLink, names: Pick<Names, 'calls'>): Reserve {
  return async (credential, { limit, wanted, windowMs }) => {
    try {
      const reply = await link.run(RESERVE, names.calls(credential), limit, wanted, windowMs);
      if (!Array.isArray(reply)) return undefined;
      const [granted, used, resetMs] = reply;
      return { granted: Number(granted), used: Number(used), resetMs: Number(resetMs) };
    } catch {
      return undefined;
    }
  };
}

/** The local cache, whose credentials are known by hashes that all replicas share. */
export interface LocalCache {
  drop(credential: string): void;
  dropAll(): void;
}

const ALL = '*';

/**
 * Drops what a credential has read at all replicas when it writes or is rejected at one. Messages may be missed while
 * Redis is lost, so everything is dropped when it is lost, before the cache works as it does without Redis, and again
 * when it is back; a replica that could not tell the others of a change then makes them drop everything, too.
 */
function createInvalidations(link: RedisLink, channel: string) {
  /** This replica has dropped by itself what it tells others to drop. */
  const ownSender = randomBytes(12).toString('base64url');
  let hasUntold = false;

  /** Resolves once Redis has passed it on, or could not; at most 50 ms later. */
  async function tell(credential: string): Promise<void> {
    try {
      await link.command('PUBLISH', channel, `${ownSender} ${credential}`);
    } catch {
      hasUntold = true;
    }
  }

  function keepInStep(cache: LocalCache): void {
    link.subscribe(channel, (message) => {
      const [sender, credential = ''] = message.split(' ');
      if (sender === ownSender) return;
      if (credential === ALL) cache.dropAll();
      else cache.drop(credential);
    });
    link.state.onChange((state) => {
      cache.dropAll();
      if (state !== 'connected' || !hasUntold) return;
      hasUntold = false;
      void tell(ALL);
    });
  }

  return { tell, keepInStep };
}
