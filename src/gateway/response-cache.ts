import { type DocumentNode, OperationTypeNode } from 'graphql';
import { type CacheSlot, CacheTable } from '../rest/cache/cache-table.ts';
import type { CallRecord } from '../rest/call-record.ts';
import type { RestSession } from '../rest/session.ts';
import { weakMemoize } from '../weak-memoize.ts';
import { CompressedBodies } from './compressed-bodies.ts';
import type { OperationResult } from './engine.ts';

/** A longer key would cost more than it saves. */
const MAX_KEY_LENGTH = 4_000;

export interface CachedResponse {
  /** `data` as JSON. */
  readonly data: string;
  readonly calls: readonly CallRecord[];
  readonly estimatedCalls: number;
  readonly compressed: CompressedBodies;
}

interface Operation {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: { readonly [name: string]: unknown } | undefined;
}

/** Responses whose every part came from the REST cache: the next request like it needs no execution. */
export class ResponseCache {
  readonly #table: CacheTable<CachedResponse>;
  readonly #numberOf = weakMemoize((_document: DocumentNode) => {
    this.#lastDocument += 1;
    return this.#lastDocument;
  });
  #lastDocument = 0;
  #lastSequence = 0;

  constructor(ttlMs: number, maxBytes: number) {
    this.#table = new CacheTable(ttlMs, maxBytes);
  }

  /**
   * Where the response to an operation of this caller is cached; undefined for one that bypasses the cache. The key
   * holds the revision of all that the caller has cached: once any of that is replaced, nobody asks for it any more.
   */
  slot(operation: Operation, session: RestSession): CacheSlot<CachedResponse> | undefined {
    const { cache, bypassCache, credentials } = session;
    if (bypassCache || !cache.isEnabled) return undefined;
    const { document, operationName, variables } = operation;
    const key = JSON.stringify([this.#numberOf(document), operationName, variables]);
    if (key.length > MAX_KEY_LENGTH) return undefined;
    const revisions = [credentials.bearer, credentials.basic ?? credentials.own].map(
      (authorization) => authorization && cache.credential(authorization).revision(),
    );
    this.#lastSequence += 1;
    return this.#table.slot(`${revisions.join(' ')} ${key}`, { sequence: this.#lastSequence });
  }
}

/** Whether all of a result came from the REST cache. */
export function isCacheable({ errors, planned }: OperationResult, { calls }: Pick<RestSession, 'calls'>) {
  return (
    errors === undefined &&
    planned.definition.operation === OperationTypeNode.QUERY &&
    calls.length > 0 &&
    calls.every(({ source }) => source === 'cache')
  );
}

/** Caches a response until the first of what it is made of expires. */
export function cacheResponse(
  slot: CacheSlot<CachedResponse>,
  data: string,
  estimatedCalls: number,
  { calls, cachedUntil }: Pick<RestSession, 'calls' | 'cachedUntil'>,
): CachedResponse {
  // Its calls count as well: each holds what it asked for, which may be as long as a URL gets.
  let bytes = data.length + JSON.stringify(calls).length;
  const compressed = new CompressedBodies((grown) => {
    bytes += grown;
    slot.set(response, bytes, cachedUntil);
  });
  const response = { data, calls: [...calls], estimatedCalls, compressed };
  slot.set(response, bytes, cachedUntil);
  return response;
}
