import { LRUCache } from 'lru-cache';
import type { Fields } from './fields.ts';
import type { Page, Row } from './resource.ts';

/** Something that was read: a page, or a record (null where there is none), with the fields it holds. */
export interface Known {
  readonly fields: Fields;
  readonly bytes: number;
  readonly page?: Page<Row>;
  /** How many rows the page was asked for. */
  readonly perPage?: number;
  readonly record?: Row | null;
  /** Where a record was found by another key: the id under which it is cached. */
  readonly id?: string;
  /** Or something that was made of all that is remembered. */
  readonly made?: unknown;
}

export interface Entry extends Known {
  /** Until when it may be shown again, by `performance.now()`. */
  readonly until: number;
  /** The turn of the call that read it. */
  readonly turn: number;
}

/** A place as it is now. */
export interface Place {
  /** What it holds, and until when that may be shown again. */
  readonly known: Entry | undefined;
  /** Writes, unless a call that was sent later has written before, or the place has been given up. */
  remember(known: Known, until?: number): void;
}

export interface PlaceOptions {
  readonly name: string;
  /** The order in which calls were sent: what an earlier one brings does not replace what a later one brought. */
  readonly turn: number;
  /** Whether anybody still looks there. */
  readonly isCurrent?: () => boolean;
  readonly onReplace?: () => void;
}

export interface Entries {
  place(options: PlaceOptions): Place;
}

const SWEEP_MS = 1_000;
/** What an entry takes beside what it holds. */
const ENTRY_BYTES = 400;

/** The entries of all credentials, bounded together: the one that was not used for longest falls out. */
export function createEntries(ttlMs: number, maxBytes: number): Entries {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
    ttl: Math.max(1, ttlMs),
  });
  // What is out of date is not shown, but would take room until it is pushed out: so it is swept, while there is any.
  let sweeping = false;
  function sweepLater(): void {
    if (sweeping) return;
    sweeping = true;
    setTimeout(() => {
      sweeping = false;
      entries.purgeStale();
      if (entries.size > 0) sweepLater();
    }, ttlMs + SWEEP_MS).unref();
  }

  return {
    place({ name, turn, isCurrent, onReplace }) {
      return {
        known: entries.get(name),
        remember(known, until = Number.POSITIVE_INFINITY) {
          const now = performance.now();
          const ends = Math.min(until, now + ttlMs);
          if (ends <= now || isCurrent?.() === false) return;
          const before = entries.peek(name);
          if (before !== undefined && before.turn > turn) return;
          if (before !== undefined) onReplace?.();
          entries.set(name, { ...known, until: ends, turn }, { ttl: ends - now });
          sweepLater();
        },
      };
    },
  };
}

/** Where nothing is remembered. */
export const NOWHERE: Place = { known: undefined, remember() {} };
