import { createHmac, randomBytes } from 'node:crypto';
import { compositeKey, hashableKey } from '../../composite-key.ts';
import { Owners } from '../../limits/owner.ts';
import { lruMap } from '../../memoize.ts';
import type { RestResponse } from '../client/attempt.ts';
import type { Fields } from '../fields.ts';
import type { Page, Row } from '../resource.ts';
import { type CacheSize, type CacheSlot, CacheTable, type SlotOptions } from './cache-table.ts';
import { InFlightRequests } from './in-flight.ts';

export interface CachedPage {
  readonly page: Page<Row>;
  readonly fields: Fields;
  readonly perPage: number;
  /** By `performance.now()`; if it is later, it expires with the entry. */
  readonly expiresAt: number;
}

/** Pages of one list that start at the same row, the latest first. */
type CachedPages = readonly CachedPage[];

/** A record, or null if there is none, with the fields it was read with. */
export interface CachedRecord {
  readonly record: Row | null;
  readonly fields: Fields;
}

/** Maps a key other than the id to the id of the cached record, or to null if there is none. */
interface CachedId {
  readonly id: string | null;
}

interface CachedIntrospection {
  readonly body: unknown;
}

/** A page, and the generation in which it was requested: everything cached because of it goes there. */
export interface SentPage {
  readonly page: Page<Row>;
  readonly generation: Generation;
}

/** How caches of several processes are kept in step. */
interface CacheSharing {
  /** With the same key, processes know a credential by the same hash. */
  readonly credentialKey: Buffer;
  /** Makes other processes drop what they have cached for a credential; resolves once they have been told. */
  tell(credential: string): Promise<void>;
}

const MAX_BYTES = 32_000_000;
const MAX_CREDENTIALS = 20_000;
const PAGES_SHARE = 0.55;
const RECORDS_SHARE = 0.35;
const IDS_SHARE = 0.05;
const INTROSPECTIONS_SHARE = 0.05;

interface Tables {
  readonly pages: CacheTable<CachedPages>;
  readonly records: CacheTable<CachedRecord>;
  readonly ids: CacheTable<CachedId>;
  readonly introspections: CacheTable<CachedIntrospection>;
}

/**
 * Caches recent reads by credential, and coalesces reads in flight. Credentials never share data. Invalidation starts a
 * new generation for the credential: entries of the old one are never read again, and are evicted over time.
 */
export class RestCache {
  readonly isEnabled: boolean;
  readonly #tables: Tables;
  readonly #generations = lruMap<GenerationState>(MAX_CREDENTIALS);
  readonly #owners = new Owners();
  readonly #tokens = new InFlightRequests<RestResponse>({ uncancellable: true });
  // Keys may appear in a heap dump or a crash report, so they contain no credential, only a keyed hash of one.
  readonly #secret: Buffer;
  readonly #sharing: CacheSharing | undefined;
  // Hashing is the most expensive step here, so recent credentials are found by their text, in a direct-mapped table
  // indexed by their last characters.
  readonly #recent: CredentialCache[] = [];
  #lastGeneration = 0;
  #lastSequence = 0;

  /** With a `ttlMs` of 0 nothing is cached, but calls in flight are still coalesced. */
  constructor(ttlMs: number, maxBytes = MAX_BYTES, sharing?: CacheSharing) {
    this.isEnabled = ttlMs > 0;
    this.#sharing = sharing;
    this.#secret = sharing?.credentialKey ?? randomBytes(32);
    this.#tables = {
      pages: new CacheTable(ttlMs, maxBytes * PAGES_SHARE),
      records: new CacheTable(ttlMs, maxBytes * RECORDS_SHARE),
      ids: new CacheTable(ttlMs, maxBytes * IDS_SHARE),
      introspections: new CacheTable(ttlMs, maxBytes * INTROSPECTIONS_SHARE),
    };
  }

  sizes(): { readonly [table: string]: CacheSize } {
    return Object.fromEntries(Object.entries(this.#tables).map(([name, { size }]) => [name, size]));
  }

  credential(authorization: string): CredentialCache {
    const index = indexOf(authorization);
    const recent = this.#recent[index];
    if (recent?.authorization === authorization) return recent;
    const cache = this.#createCredentialCache(authorization);
    this.#recent[index] = cache;
    return cache;
  }

  /** Drops what is cached for a credential, known by its hash; calls in flight will not be cached. */
  drop(credential: string): void {
    this.#generations.delete(credential);
  }

  dropAll(): void {
    this.#generations.clear();
  }

  #createCredentialCache(authorization: string): CredentialCache {
    const credential = this.#hash(authorization);
    const stateOf = () => this.#generations.get(credential) ?? this.#nextGeneration(credential);
    return {
      authorization,
      hash: credential,
      generation: () => {
        this.#lastSequence += 1;
        const state = stateOf();
        const isCurrent = () => this.#generations.peek(credential) === state;
        return new Generation(state.name, this.#tables, state, {
          sequence: this.#lastSequence,
          isCurrent,
          onReplace: () => {
            state.revision += 1;
            state.revisionKey = undefined;
          },
        });
      },
      revision: () => {
        const state = stateOf();
        state.revisionKey ??= compositeKey(state.name, state.revision);
        return state.revisionKey;
      },
      tokens: this.#tokens,
      secretKey: (text) => compositeKey(credential, this.#hash(hashableKey(text))),
      invalidate: () => {
        this.#nextGeneration(credential);
        return this.#sharing?.tell(credential);
      },
      owner: (address) => this.#owners.of(credential, address),
      accepted: () => this.#owners.accept(credential),
      rejected: () => this.#owners.reject(credential),
    };
  }

  #nextGeneration(credential: string): GenerationState {
    this.#lastGeneration += 1;
    const state = {
      name: compositeKey(credential, this.#lastGeneration),
      revision: 1,
      revisionKey: undefined,
      pages: new InFlightRequests<SentPage>(),
      introspections: new InFlightRequests<RestResponse>(),
    };
    this.#generations.set(credential, state);
    return state;
  }

  #hash(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64');
  }
}

export interface CredentialCache {
  readonly authorization: string;
  /** Keyed, so that it reveals nothing of the credential. */
  readonly hash: string;
  /** To be taken before a call is sent: its response may only be cached through it. */
  generation(): Generation;
  /** Identifies the current state of the cache: changes whenever anything is invalidated or replaced. */
  revision(): string;
  readonly tokens: InFlightRequests<RestResponse>;
  /** A key for a secret that this credential sends; the same in every generation. */
  secretKey(text: string): string;
  /** Resolves once other processes have been told, if there are any. */
  invalidate(): Promise<void> | undefined;
  /** The owner that the credential counts for, when used from this address. */
  owner(address: string | undefined): string;
  accepted(): void;
  /** The service rejected the credential as unknown, expired or revoked. */
  rejected(): void;
}

interface GenerationState {
  readonly name: string;
  revision: number;
  /** Of the name and the revision; made when it is asked for. */
  revisionKey: string | undefined;
  readonly pages: InFlightRequests<SentPage>;
  readonly introspections: InFlightRequests<RestResponse>;
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

  page(key: string): CacheSlot<CachedPages> {
    return this.#tables.pages.slot(this.name + key, this.#options);
  }

  /** By a key that contains the record's id. */
  record(key: string): CacheSlot<CachedRecord> {
    return this.#tables.records.slot(this.name + key, this.#options);
  }

  /** By a key that contains another value that identifies a record. */
  id(key: string): CacheSlot<CachedId> {
    return this.#tables.ids.slot(this.name + key, this.#options);
  }

  introspection(key: string): CacheSlot<CachedIntrospection> {
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
