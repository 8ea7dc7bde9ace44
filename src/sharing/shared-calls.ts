import { randomBytes } from 'node:crypto';
import type { Reservation, Reserve } from '../limits/call-limit.ts';
import type { Names } from './names.ts';
import type { RedisLink } from './redis-link.ts';

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
export function createReserve(link: RedisLink, names: Pick<Names, 'calls'>): Reserve {
  return async (credential, { limit, wanted, windowMs }) => {
    try {
      return readReservation(await link.run(RESERVE, names.calls(credential), limit, wanted, windowMs));
    } catch {
      return undefined;
    }
  };
}

function readReservation(reply: unknown): Reservation | undefined {
  const [granted = Number.NaN, used = Number.NaN, resetMs = Number.NaN] = Array.isArray(reply)
    ? reply.map(Number)
    : [];
  if (![granted, used, resetMs].every(Number.isFinite)) return undefined;
  return { granted, used, resetMs };
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
export class Invalidations {
  readonly #link: RedisLink;
  readonly #channel: string;
  /** Of this replica, which has dropped by itself what it tells others to drop. */
  readonly #sender = randomBytes(12).toString('base64url');
  #hasUntold = false;

  constructor(link: RedisLink, channel: string) {
    this.#link = link;
    this.#channel = channel;
  }

  keepInStep(cache: LocalCache): void {
    this.#link.subscribe(this.#channel, (message) => {
      const [sender, credential = ''] = message.split(' ');
      if (sender === this.#sender) return;
      if (credential === ALL) cache.dropAll();
      else cache.drop(credential);
    });
    this.#link.state.onChange((state) => {
      cache.dropAll();
      if (state !== 'connected' || !this.#hasUntold) return;
      this.#hasUntold = false;
      void this.tell(ALL);
    });
  }

  /** Resolves once Redis has passed it on, or could not; at most 50 ms later. */
  async tell(credential: string): Promise<void> {
    try {
      await this.#link.command('PUBLISH', this.#channel, `${this.#sender} ${credential}`);
    } catch {
      this.#hasUntold = true;
    }
  }
}
