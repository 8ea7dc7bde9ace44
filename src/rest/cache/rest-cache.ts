import { createHmac, randomBytes } from 'node:crypto';
import { compositeKey, hashableKey } from '../../composite-key.ts';
import { MAX_CREDENTIALS, ownerAt, setAddress } from '../../limits/owner.ts';
import { lruMap } from '../../memoize.ts';
import type { RestResponse } from '../client/attempt.ts';
import type { Fields } from '../fields.ts';
import type { Page, Row } from '../resource.ts';
import { type CacheSize, CacheTable, type SlotOptions } from './cache-table.ts';
import { InFlightRequests } from './in-flight.ts';

export interface CachedPage {
  readonly page: Page;
  readonly fields: Fields;
  readonly perPage: number;
  /** By `performance.now()`; if it is later, it expires with the entry. */
  readonly expiresAt: number;
}

/** A record, or null if there is none, with the fields it was read with. */
export interface CachedRecord {
  readonly record: Row | null;
  readonly fields: Fields;
}

/** A page, and the generation in which it was requested: everything cached because of it goes there. */
export interface SentPage {
  readonly page: Page;
  readonly generation: Generation;
}

/** What is kept of an answer, and the memory that it takes. */
export type KeptAnswer = Pick<RestResponse, 'body' | 'bytes'>;

/** How caches of several processes are kept in step. */
interface CacheSharing {
  /** With the same key, processes know a credential by the same hash. */
  readonly credentialKey: Buffer;
  /** Makes other processes drop what they have cached for a credential; resolves once they have been told. */
  tell(credential: string): Promise<void>;
}

const MAX_BYTES = 32_000_000;

type Tables = ReturnType<typeof createTables>;

function createTables(ttlMs: number, maxBytes: number) {
  return {
    /** Pages of one list that start at the same row, the latest first. */
    pages: new CacheTable<readonly CachedPage[]>(ttlMs, maxBytes * 0.55),
    records: new CacheTable<CachedRecord>(ttlMs, maxBytes * 0.35),
    /** By another key than the id: the id of the cached record, or null if there is none. */
    ids: new CacheTable<{ readonly id: string | null }>(ttlMs, maxBytes * 0.05),
    introspections: new CacheTable<KeptAnswer>(ttlMs, maxBytes * 0.05),
  };
}

export type RestCache = ReturnType<typeof createRestCache>;
export type CredentialCache = ReturnType<RestCache['credential']>;

/**
 * Caches recent reads by credential, and coalesces reads in flight. Credentials never share data. Invalidation starts a
 * new generation for the credential: entries of the old one are never read again, and are evicted over time. With a
 * `ttlMs` of 0 nothing is cached, but calls in flight are still coalesced.
 */
export function createRestCache(ttlMs: number, maxBytes = MAX_BYTES, sharing?: CacheSharing) {
  const tables = createTables(ttlMs, maxBytes);
  const generations = lruMap<GenerationState>(MAX_CREDENTIALS);
  /** Hashes of credentials that the service has accepted. No others are stored, so made-up ones cannot evict them. */
  const accepted = lruMap<true>(MAX_CREDENTIALS);
  const tokens = new InFlightRequests<RestResponse>({ uncancellable: true });
  // Keys may appear in a heap dump or a crash report, so they contain no credential, only a keyed hash of one.
  const secret = sharing?.credentialKey ?? randomBytes(32);
  const hashOf = (text: string) => createHmac('sha256', secret).update(text).digest('base64');
  // Hashing is the most expensive step here, so recent credentials are found by their text, in a direct-mapped table
  // indexed by their last characters.
  const recent: ReturnType<typeof createCredentialCache>[] = [];
  let lastGeneration = 0;
  let lastSequence = 0;

  function createCredentialCache(authorization: string) {
    const hash = hashOf(authorization);
    const stateOf = () => generations.get(hash) ?? nextGeneration(hash);
    return {
      authorization,
      /** Keyed, so that it reveals nothing of the credential. */
      hash,
      /** To be taken before a call is sent: its response may only be cached through it. */
      generation(): Generation {
        lastSequence += 1;
        const state = stateOf();
        return new Generation(state.name, tables, state, {
          sequence: lastSequence,
          isCurrent: () => generations.peek(hash) === state,
          onReplace: () => {
            state.revision += 1;
            state.revisionKey = undefined;
          },
        });
      },
      /** Identifies the current state of the cache: changes whenever anything is invalidated or replaced. */
      revision(): string {
        const state = stateOf();
        state.revisionKey ??= compositeKey(state.name, state.revision);
        return state.revisionKey;
      },
      tokens,
      /** A key for a secret that this credential sends; the same in every generation. */
      secretKey: (text: string) => compositeKey(hash, hashOf(hashableKey(text))),
      /** Resolves once other processes have been told, if there are any. */
      invalidate(): Promise<void> | undefined {
        nextGeneration(hash);
        return sharing?.tell(hash);
      },
      /** The owner that the credential counts for, when used from this address, which is noted if it was accepted. */
      owner(address: string | undefined): string {
        const at = ownerAt(address);
        if (!accepted.get(hash)) return at;
        setAddress(hash, at);
        return hash;
      },
      accepted(): void {
        if (!accepted.get(hash)) accepted.set(hash, true);
      },
      /** The service rejected the credential as unknown, expired or revoked. */
      rejected: () => void accepted.delete(hash),
    };
  }

  function nextGeneration(credential: string): GenerationState {
    lastGeneration += 1;
    const state = {
      name: compositeKey(credential, lastGeneration),
      revision: 1,
      revisionKey: undefined,
      pages: new InFlightRequests<SentPage>(),
      introspections: new InFlightRequests<KeptAnswer>(),
    };
    generations.set(credential, state);
    return state;
  }

  return {
    isEnabled: ttlMs > 0,

    sizes(): { readonly [table: string]: CacheSize } {
      return Object.fromEntries(Object.entries(tables).map(([name, { size }]) => [name, size]));
    },

    credential(authorization: string) {
      const index = indexOf(authorization);
      const known = recent[index];
      if (known?.authorization === authorization) return known;
      const cache = createCredentialCache(authorization);
      recent[index] = cache;
      return cache;
    },

    /** Drops what is cached for a credential, known by its hash; calls in flight will not be cached. */
    drop: (credential: string) => void generations.delete(credential),
    dropAll: () => generations.clear(),
    /** Frees the memory of what is cached; unlike what is dropped, calls in flight may be cached. */
    clear(): void {
      for (const table of Object.values(tables)) table.clear();
    },
  };
}

interface GenerationState {
  readonly name: string;
  revision: number;
  /** Of the name and the revision; made when it is asked for. */
  revisionKey: string | undefined;
  readonly pages: InFlightRequests<SentPage>;
  readonly introspections: InFlightRequests<KeptAnswer>;
}

/** A credential's cache between two of its writes, for one call. After a write, nothing reads what late responses bring. */
export class Generation {
  /** A composite key, so that whatever follows it is unambiguous. Contains no credential. */
  readonly name: string;
  /** Calls in flight; calls of an earlier generation are not joined. */
  readonly inFlight: Pick<GenerationState, 'pages' | 'introspections'>;
  readonly #tables: Tables;
  readonly #options: SlotOptions;

  constructor(name: string, tables: Tables, inFlight: Generation['inFlight'], options: SlotOptions) {
    this.name = name;
    this.inFlight = inFlight;
    this.#tables = tables;
    this.#options = options;
  }

  page(key: string) {
    return this.#tables.pages.slot(this.name + key, this.#options);
  }

  record(key: string) {
    return this.#tables.records.slot(this.name + key, this.#options);
  }

  id(key: string) {
    return this.#tables.ids.slot(this.name + key, this.#options);
  }

  introspection(key: string) {
    return this.#tables.introspections.slot(this.name + key, this.#options);
  }
}

function indexOf(authorization: string): number {
  const { length } = authorization;
  let sum = length;
  for (let index = Math.max(0, length - 8); index < length; index += 1) {
    sum = (sum * 31 + authorization.charCodeAt(index)) & 0xff;
  }
  return sum;
}
