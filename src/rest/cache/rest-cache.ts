import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { compositeKey, hashableKey } from '../../composite-key.ts';
import { MAX_CREDENTIALS, ownerAt } from '../../limits/owner.ts';
import { getOrCreate, lruMap } from '../../memoize.ts';
import type { RestResponse } from '../client/attempt.ts';
import type { Fields } from '../fields.ts';
import type { Page, Row } from '../resource.ts';
import type { Introspection } from '../tokens.ts';
import { InFlightRequests } from './in-flight.ts';

export interface CachedPage {
  readonly page: Page;
  readonly fields: Fields;
  readonly perPage: number;
  /** By `performance.now()`. */
  readonly expiresAt: number;
}

/** A record, or null if there is none, with the fields it was read with. */
export interface CachedRecord {
  readonly record: Row | null;
  readonly fields: Fields;
}

/** A page, and when and in which generation it was requested: everything cached because of it goes there. */
export interface SentPage {
  readonly page: Page;
  readonly generation: Generation;
  /** By `performance.now()`. */
  readonly sentAt: number;
}

/** An introspection, and the memory that it takes. */
export interface KeptIntrospection {
  readonly introspection: Introspection;
  readonly bytes: number;
}

/** How caches of several processes are kept in step. */
interface CacheSharing {
  /** With the same key, processes know a credential by the same hash. */
  readonly credentialKey: Buffer;
  /** Makes other processes drop what they have cached for a credential; resolves once they have been told. */
  tell(credential: string): Promise<void>;
}

const MAX_BYTES = 32_000_000;

/** Memory of an entry in addition to its value and key. */
const ENTRY_BYTES = 400;

export interface CacheEntry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** By `performance.now()`, like the moment when its call was sent. */
  readonly expiresAt: number;
  readonly sentAt: number;
}

type Table<Value> = LRUCache<string, CacheEntry<Value>>;
type Tables = ReturnType<typeof createTables>;

/** Values of all credentials: limited in bytes and in time. */
function createTables(maxBytes: number) {
  const table = <Value>(share: number): Table<Value> =>
    new LRUCache({
      maxSize: Math.max(1, Math.floor(maxBytes * share)),
      sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
    });
  return {
    /** Pages of one list that start at the same row, the latest first. */
    pages: table<readonly CachedPage[]>(0.55),
    records: table<CachedRecord>(0.35),
    /** By another key than the id: the id of the cached record, or null if there is none. */
    ids: table<{ readonly id: string | null }>(0.05),
    introspections: table<KeptIntrospection>(0.05),
  };
}

export interface CacheSize {
  readonly bytes: number;
  readonly entries: number;
}

export type RestCache = ReturnType<typeof createRestCache>;

export type CredentialCache = ReturnType<RestCache['credential']>;

/**
 * Caches recent reads by credential, and coalesces reads in flight. Credentials never share data. Invalidation starts a
 * new generation for the credential: entries of the old one are never read again, and are evicted over time. With a
 * `ttlMs` of 0 nothing is cached, but calls in flight are still coalesced.
 */
export function createRestCache(ttlMs: number, maxBytes = MAX_BYTES, sharing?: CacheSharing) {
  const tables = createTables(maxBytes);
  const generations = lruMap<Generation>(MAX_CREDENTIALS);
  /** Hashes of credentials that the service has accepted. No others are stored, so made-up ones cannot evict them. */
  const accepted = lruMap<true>(MAX_CREDENTIALS);
  const tokens = new InFlightRequests<RestResponse>({ uncancellable: true });
  // Keys may appear in a heap dump or a crash report, so they contain no credential, only a keyed hash of one.
  const secret = sharing?.credentialKey ?? randomBytes(32);
  const hashOf = (text: string) => createHmac('sha256', secret).update(text).digest('base64');
  /** Hashing takes longer than all else here. */
  const recent = lruMap<ReturnType<typeof createCredentialCache>>(1_000);
  let lastGeneration = 0;

  function createCredentialCache(authorization: string) {
    const hash = hashOf(authorization);
    return {
      authorization,
      /** Keyed, so that it reveals nothing of the credential. */
      hash,
      /** To be taken before a call is sent: its response may only be cached through it. */
      generation: () => generations.get(hash) ?? nextGeneration(hash),
      tokens,
      /** A key for a secret that this credential sends; the same in every generation. */
      secretKey: (text: string) => compositeKey(hash, hashOf(hashableKey(text))),
      /** Resolves once other processes have been told, if there are any. */
      invalidate(): Promise<void> | undefined {
        nextGeneration(hash);
        return sharing?.tell(hash);
      },
      /** The owner that the credential counts for, when used from this address. */
      owner(address: string | undefined): string {
        return accepted.get(hash) ? hash : ownerAt(address);
      },
      accepted(): void {
        if (!accepted.get(hash)) accepted.set(hash, true);
      },
      /** The service rejected the credential as unknown, expired or revoked. */
      rejected: () => void accepted.delete(hash),
    };
  }

  function nextGeneration(credential: string): Generation {
    lastGeneration += 1;
    const name = compositeKey(credential, lastGeneration);
    const isCurrent = () => generations.peek(credential) === generation;
    const generation: Generation = new Generation(name, ttlMs, tables, isCurrent);
    generations.set(credential, generation);
    return generation;
  }

  return {
    isEnabled: ttlMs > 0,

    sizes(): { readonly [table: string]: CacheSize } {
      const sizeOf = ({ calculatedSize: bytes, size: entries }: Tables[keyof Tables]) => ({ bytes, entries });
      return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, sizeOf(table)]));
    },

    credential: (authorization: string) =>
      getOrCreate<string, ReturnType<typeof createCredentialCache>>(
        recent,
        authorization,
        createCredentialCache,
      ),

    /** Drops what is cached for a credential, known by its hash; calls in flight will not be cached. */
    drop: (credential: string) => void generations.delete(credential),
    dropAll: () => generations.clear(),
    /** Frees the memory of what is cached; unlike what is dropped, calls in flight may be cached. */
    clear(): void {
      for (const table of Object.values(tables)) table.clear();
    },
  };
}

/** A credential's cache between two of its writes. After a write, nothing reads what late responses bring. */
export class Generation {
  /** A composite key, so that whatever follows it is unambiguous. Contains no credential. */
  readonly name: string;
  readonly ttlMs: number;
  readonly isCurrent: () => boolean;
  /** Calls in flight; calls of an earlier generation are not joined. */
  readonly inFlight = {
    pages: new InFlightRequests<SentPage>(),
    introspections: new InFlightRequests<KeptIntrospection>(),
  };
  readonly pages: Slots<readonly CachedPage[]>;
  readonly records: Slots<CachedRecord>;
  readonly ids: Slots<{ readonly id: string | null }>;
  readonly introspections: Slots<KeptIntrospection>;

  constructor(name: string, ttlMs: number, tables: Tables, isCurrent: () => boolean) {
    this.name = name;
    this.ttlMs = ttlMs;
    this.isCurrent = isCurrent;
    this.pages = new Slots(tables.pages, this);
    this.records = new Slots(tables.records, this);
    this.ids = new Slots(tables.ids, this);
    this.introspections = new Slots(tables.introspections, this);
  }
}

/** What one generation sees of a table. */
class Slots<Value> {
  readonly #table: Table<Value>;
  readonly #generation: Generation;

  constructor(table: Table<Value>, generation: Generation) {
    this.#table = table;
    this.#generation = generation;
  }

  get(key: string): CacheEntry<Value> | undefined {
    return this.#table.get(this.#generation.name + key);
  }

  /** Until it expires as others do, or earlier; not if there was a write since, or an answer to a call sent later. */
  set(key: string, entry: Omit<CacheEntry<Value>, 'expiresAt'> & { readonly expiresAt?: number }): void {
    const { name, ttlMs, isCurrent } = this.#generation;
    const now = performance.now();
    const expiresAt = Math.min(entry.expiresAt ?? Number.POSITIVE_INFINITY, now + ttlMs);
    if (expiresAt <= now || !isCurrent()) return;
    const { sentAt = 0 } = this.#table.peek(name + key) ?? {};
    if (sentAt <= entry.sentAt)
      this.#table.set(name + key, { ...entry, expiresAt }, { ttl: expiresAt - now });
  }
}
