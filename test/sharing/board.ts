import { LRUCache } from 'lru-cache';
import type { Reservation, ReservationRequest } from '../../src/limits/call-limit.ts';
import { lruMap } from '../../src/memoize.ts';

/** More than a process can have in use; beyond, what was used longest ago is forgotten. */
const MAX_ENTRIES = 50_000;
const MAX_STATE_BYTES = 32_000_000;
/** Of an entry beside its texts, each character of which may take two bytes. */
const ENTRY_BYTES = 300;

/** What workers of one machine share, in the memory of their primary: what Redis is to replicas, and as atomic. */
export class SharedBoard {
  readonly #states = new LRUCache<string, string>({
    maxSize: MAX_STATE_BYTES,
    sizeCalculation: (state, key) => ENTRY_BYTES + 2 * (state.length + key.length),
  });
  readonly #calls = lruMap<{ used: number }>(MAX_ENTRIES);

  /** Sets the state to `to` if it is one of `from`, and returns the state that it then has; '' is none. */
  move(key: string, from: readonly string[], to: string, lifeMs: number): string {
    const state = this.#states.get(key) ?? '';
    if (!from.includes(state)) return state;
    if (to === '') this.#states.delete(key);
    else this.#states.set(key, to, { ttl: lifeMs });
    return to;
  }

  /** Grants a quarter of what is left at most, so that no worker holds much that others lack. */
  reserve(key: string, { limit, wanted, windowMs }: ReservationRequest): Reservation {
    let calls = this.#calls.get(key);
    if (calls === undefined) {
      calls = { used: 0 };
      this.#calls.set(key, calls, { ttl: windowMs });
    }
    const granted = Math.min(wanted, Math.ceil(Math.max(0, limit - calls.used) / 4));
    calls.used += granted;
    return { granted, used: calls.used, resetMs: this.#calls.getRemainingTTL(key) };
  }
}
