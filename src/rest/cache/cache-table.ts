import { LRUCache } from 'lru-cache';

export interface CacheEntry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** By `performance.now()`. */
  readonly expiresAt: number;
  /** Sequence number of the call that returned the value, in the order in which calls were sent. */
  readonly sequence: number;
}

export interface CacheSize {
  readonly bytes: number;
  readonly entries: number;
}

/** One key of a cache, with its entry at the time the slot was created. */
export interface CacheSlot<Value> {
  readonly entry: CacheEntry<Value> | undefined;
  /** Writes the value, unless a call sent later has written already, or the slot is no longer current. */
  set(value: Value, bytes: number, expiresAt?: number): void;
}

export interface SlotOptions {
  /** Values of an earlier call do not replace those of a later one. */
  readonly sequence: number;
  readonly isCurrent?: () => boolean;
  readonly onReplace?: () => void;
}

/** Of a longer page nothing cached before is kept beside it: to compare and merge them would take too long in one go. */
export const MAX_COMPARED_BYTES = 1_000_000;

const SWEEP_MS = 1_000;
/** Memory of an entry in addition to its value and key. */
const ENTRY_BYTES = 400;

/** Values of one type, for all credentials: limited in bytes, with LRU eviction. */
export class CacheTable<Value extends object> {
  readonly #ttlMs: number;
  readonly #entries: LRUCache<string, CacheEntry<Value>>;
  #isSweeping = false;

  /** With a `ttlMs` of 0 nothing is cached. */
  constructor(ttlMs: number, maxBytes: number) {
    this.#ttlMs = ttlMs;
    this.#entries = new LRUCache({
      maxSize: Math.max(1, Math.floor(maxBytes)),
      sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
      ttl: Math.max(1, ttlMs),
    });
  }

  get size(): CacheSize {
    return { bytes: this.#entries.calculatedSize, entries: this.#entries.size };
  }

  clear(): void {
    this.#entries.clear();
  }

  slot(key: string, { sequence, isCurrent, onReplace }: SlotOptions): CacheSlot<Value> {
    return {
      entry: this.#ttlMs === 0 ? undefined : this.#entries.get(key),
      set: (value, bytes, expiresAt = Number.POSITIVE_INFINITY) => {
        const now = performance.now();
        const expiry = Math.min(expiresAt, now + this.#ttlMs);
        if (expiry <= now || isCurrent?.() === false) return;
        const before = this.#entries.peek(key);
        if (before !== undefined && before.sequence > sequence) return;
        if (before !== undefined) onReplace?.();
        this.#entries.set(key, { value, bytes, expiresAt: expiry, sequence }, { ttl: expiry - now });
        this.#sweepLater();
      },
    };
  }

  /** Expired entries are not served but use memory, so they are purged from time to time while there are any. */
  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    setTimeout(() => {
      this.#isSweeping = false;
      this.#entries.purgeStale();
      if (this.#entries.size > 0) this.#sweepLater();
    }, this.#ttlMs + SWEEP_MS).unref();
  }
}
