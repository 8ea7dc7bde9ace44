import { hash, randomBytes } from 'node:crypto';
import { compositeKey, hashableKey } from '../../composite-key.ts';
import { getAddressKey } from '../../limits/limit-key.ts';
import { lruMap } from '../../memoize.ts';
import { MAX_CREDENTIALS } from '../call-limit.ts';
import { Cancellation } from '../cancellation.ts';
import type { RestResponse } from '../client/attempt.ts';
import { covers, type FieldTree } from '../fields.ts';
import type { Page } from '../resource.ts';
import { createStore, ListCache, type Store } from './list-cache.ts';

interface CacheSharing {
  /** With the same key, processes know a credential by the same hash. */
  readonly credentialKey: Buffer;
  /** Makes other processes invalidate a credential's data. Resolves once they were notified. */
  broadcastInvalidation(credential: string): Promise<void>;
}

export type RestCache = ReturnType<typeof createRestCache>;
export type CredentialCache = ReturnType<RestCache['createCredentialCache']>;

/** A credential's cache between two writes. Late responses go to an old generation, which nobody reads. */
function createGeneration(store: Store, id: string) {
  return {
    id,
    pagesInFlight: new InFlightRequests<Page>(),
    getListCache: (path: string, administrationId?: string) =>
      store.ttlMs > 0 ? new ListCache(store, compositeKey(id, path, administrationId)) : undefined,
  };
}

export type Generation = ReturnType<typeof createGeneration>;

/** Caches and coalesces reads by credential. Invalidation starts a new generation; old data is evicted in time. */
export function createRestCache(ttlMs: number, maxBytes = 32_000_000, sharing?: CacheSharing) {
  const store = createStore(ttlMs, maxBytes);
  const generations = lruMap<Generation>(MAX_CREDENTIALS);
  /** Hashes of credentials that the service accepted. Others are not stored, so made-up credentials evict nothing. */
  const acceptedHashes = lruMap<true>(MAX_CREDENTIALS);
  const refreshesInFlight = new InFlightRequests<RestResponse>();
  // Keys may appear in a heap dump, so they contain only a keyed hash of a credential. SHA-512/256 needs no HMAC, since
  // its output cannot be extended, and takes a third of the time.
  const secret = (sharing?.credentialKey ?? randomBytes(32)).toString('base64');
  const hashSecret = (text: string) => hash('sha512-256', secret + text, 'base64');
  let lastGeneration = 0;

  function startGeneration(credential: string): Generation {
    lastGeneration += 1;
    const generation = createGeneration(store, String(lastGeneration));
    generations.set(credential, generation);
    return generation;
  }

  /** Created for each operation, so that no credential is kept longer than its operations. */
  class CredentialCache {
    readonly hash: string;

    constructor(readonly authorization: string) {
      this.hash = hashSecret(authorization);
    }

    /** Call this before a call is sent: its response may be cached in this generation alone. */
    getGeneration(): Generation {
      return generations.get(this.hash) ?? startGeneration(this.hash);
    }

    createSecretKey(text: string): string {
      return compositeKey(this.hash, hashSecret(hashableKey(text)));
    }

    invalidate(): Promise<void> | undefined {
      startGeneration(this.hash);
      return sharing?.broadcastInvalidation(this.hash);
    }

    getLimitKey(address: string | undefined): string {
      return acceptedHashes.get(this.hash) ? this.hash : getAddressKey(address);
    }

    markAccepted(): void {
      acceptedHashes.set(this.hash, true);
    }

    /** The service rejected the credential as unknown, expired or revoked. */
    markRejected(): void {
      acceptedHashes.delete(this.hash);
    }
  }

  return {
    createCredentialCache: (authorization: string) => new CredentialCache(authorization),
    refreshesInFlight,
    getSize: () => ({
      bytes: store.records.calculatedSize + store.pages.calculatedSize,
      entries: store.records.size + store.pages.size,
    }),
    /** Invalidates in this process alone. Responses to calls in flight will not be cached either. */
    invalidate: (credential: string) => void generations.delete(credential),
    invalidateAll: () => generations.clear(),
    /** Frees memory. Unlike after `invalidate`, responses to calls in flight may be cached. */
    clear(): void {
      store.records.clear();
      store.pages.clear();
    },
  };
}

export interface InFlightRequest<T> {
  readonly key: string;
  readonly fields: FieldTree;
  readonly startedAt: number;
  /** Aborted when all waiting operations have aborted. */
  readonly cancellation: Cancellation;
  readonly response: Promise<T>;
  waiting: number;
}

type Send<T> = (cancellation: Cancellation, startedAt: number) => Promise<T>;

/** Requests in flight, which equal ones join. An array, since a Map that has grown keeps deleted entries. */
export class InFlightRequests<T> {
  readonly #requests: InFlightRequest<T>[] = [];

  /** Joins a request that covers `fields` and was sent after `since`, or sends one. */
  join(
    { key, fields, since = 0 }: { readonly key: string; readonly fields: FieldTree; readonly since?: number },
    cancellation: Cancellation,
    send: Send<T>,
  ): { readonly isCoalesced: boolean; readonly response: Promise<T> } {
    const existing = this.#requests.find(
      (request) =>
        request.key === key &&
        request.startedAt >= since &&
        !request.cancellation.isAborted &&
        covers(request.fields, fields),
    );
    const request = existing ?? this.#start(key, fields, send);
    request.waiting += 1;
    const leave = () => {
      request.waiting -= 1;
      if (request.waiting === 0) request.cancellation.abort('closed');
    };
    return { isCoalesced: existing !== undefined, response: cancellation.limit(request.response, leave) };
  }

  whenSettled(): Promise<unknown> {
    return Promise.allSettled(this.#requests.map(({ response }) => response));
  }

  #start(key: string, fields: FieldTree, send: Send<T>): InFlightRequest<T> {
    const cancellation = new Cancellation();
    const startedAt = performance.now();
    const response = send(cancellation, startedAt);
    const request = { key, fields, startedAt, cancellation, response, waiting: 0 };
    this.#requests.push(request);
    const remove = () => void this.#requests.splice(this.#requests.indexOf(request), 1);
    request.response.then(remove, remove);
    return request;
  }
}
