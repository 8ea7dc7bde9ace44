import { LRUCache } from 'lru-cache';

export interface CacheEntry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** By `performance.now()`. */
  readonly expiresAt: number;
  /** The order in which the calls were sent that brought values. */
  readonly sequence: number;
}

/** One key of a cache, as it was when the slot was made. */
export interface CacheSlot<Value> {
  readonly entry: CacheEntry<Value> | undefined;
  /** Writes, unless a call that was sent later has written before, or the slot is no longer in use. */
  set(value: Value, bytes: number, expiresAt?: number): void;
}

export interface SlotOptions {
  /** What an earlier call brings does not replace what a later one has brought. */
  readonly sequence: number;
  /** Whether anybody still reads the key. */
  readonly isCurrent?: () => boolean;
  readonly onReplace?: () => void;
}

const SWEEP_MS = 1_000;
/** What an entry takes beside its value and its key. */
const ENTRY_BYTES = 400;

/** Values of one type, for all credentials: bounded in bytes, the least recently used falls out. */
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

  slot(key: string, options: SlotOptions): CacheSlot<Value> {
    return {
      entry: this.#ttlMs === 0 ? undefined : this.#entries.get(key),
      set: (value, bytes, expiresAt) => this.#set(key, options, value, bytes, expiresAt),
    };
  }

  #set(
    key: string,
    { sequence, isCurrent, onReplace }: SlotOptions,
    value: Value,
    bytes: number,
    expiresAt = Number.POSITIVE_INFINITY,
  ): void {
    const now = performance.now();
    const ends = Math.min(expiresAt, now + this.#ttlMs);
    if (ends <= now || isCurrent?.() === false) return;
    const before = this.#entries.peek(key);
    if (before !== undefined && before.sequence > sequence) return;
    if (before !== undefined) onReplace?.();
    this.#entries.set(key, { value, bytes, expiresAt: ends, sequence }, { ttl: ends - now });
    this.#sweepLater();
  }

  /** Expired entries are not served, but take room until they are evicted: so they are swept, while there are any. */
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
