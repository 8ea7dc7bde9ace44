import { LRUCache } from 'lru-cache';
import type { ChangeLine } from './read-changes.ts';

/** Told again is at most what changed within the gateway's lookback, a minute by default; more need not be known. */
const MAX_RECORDS = 50_000;

/**
 * Knows what was told, since a stream that goes on after a cursor begins with what changed shortly before it. An event is
 * known only if it is the last of its record: one that changed and changed back has the same event as before.
 */
export class ToldEvents {
  readonly #last = new LRUCache<string, string>({ max: MAX_RECORDS });

  isNew({ eventId, kind, record }: ChangeLine): boolean {
    const key = `${kind} ${String(record.id)}`;
    const isNew = this.#last.get(key) !== eventId;
    this.#last.set(key, eventId);
    return isNew;
  }
}
