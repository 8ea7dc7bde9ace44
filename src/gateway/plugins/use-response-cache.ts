import { type DocumentNode, OperationTypeNode } from 'graphql';
import { compositeKey } from '../../composite-key.ts';
import type { PlannedOperation } from '../../execution/operation.ts';
import { CompressedBodies } from '../../http/compression.ts';
import type { Bytes } from '../../http/response-body.ts';
import { weakMemoize } from '../../memoize.ts';
import type { CallBounds, GatewayPlugin } from '../../request/context.ts';
import type { DocumentCache } from '../../request/documents/document-cache.ts';
import { type CacheSize, type CacheSlot, CacheTable } from '../../rest/cache/cache-table.ts';
import type { CallRecord } from '../../rest/call-record.ts';
import type { RestSession } from '../../rest/session.ts';

/** The data is JSON already (`executed.json`), so that nothing reads it here. */
const CACHED = Object.freeze({ data: Object.freeze({}) });

/** Answers again if all REST responses are cached. Plugins see every operation executed: with any, it is not used. */
export function useResponseCache(responses: ResponseCache, documents: DocumentCache): GatewayPlugin {
  return {
    onParams({ params: { query = '', operationName, variables }, setResult, context }) {
      // An export is another response to the same document.
      if (context.exported) return;
      const { rest, observed } = context;
      const document = documents.documentCache.get(query);
      const slot = document && responses.slot({ document, operationName, variables }, rest);
      if (document && slot?.entry) {
        const { calls, json, bounds, compressed } = slot.entry.value;
        rest.recordEarlierCalls(calls);
        context.executed = { bounds, json, compressed };
        observed.isCachedResponse = true;
        observed.setDocument(document, operationName);
        setResult(CACHED);
      } else if (slot) {
        context.keepJson = (text, { planned, bounds }) => {
          if (planned === undefined || !isFromCache(planned, rest)) return;
          cacheResponse(slot, { json: Buffer.from(text, 'latin1'), bounds }, rest);
        };
      }
    },
  };
}

/** Longer keys would cost more than the cache saves. */
const MAX_KEY_LENGTH = 4_000;

export interface CachedResponse {
  /** `data` as JSON. */
  readonly json: Bytes;
  readonly calls: readonly CallRecord[];
  readonly bounds: CallBounds;
  readonly compressed: CompressedBodies;
}

interface Operation {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: { readonly [name: string]: unknown } | undefined;
}

/** Caches responses that came entirely from the REST cache: the next identical request needs no execution. */
export class ResponseCache {
  readonly #table: CacheTable<CachedResponse>;
  readonly #documentNumber = weakMemoize((_document: DocumentNode) => {
    this.#lastDocument += 1;
    return this.#lastDocument;
  });
  #lastDocument = 0;
  #lastSequence = 0;

  constructor(ttlMs: number, maxBytes: number) {
    this.#table = new CacheTable(ttlMs, maxBytes);
  }

  get size(): CacheSize {
    return this.#table.size;
  }

  clear(): void {
    this.#table.clear();
  }

  /**
   * Undefined to bypass the cache. The key has the revision of the caller's REST cache: what changes there, ends it.
   */
  slot(operation: Operation, session: RestSession): CacheSlot<CachedResponse> | undefined {
    const { cache, bypassCache } = session;
    const { bearer, basic, own } = session.credentials;
    if (bypassCache || !cache.isEnabled) return undefined;
    const { document, operationName, variables } = operation;
    const key = JSON.stringify([this.#documentNumber(document), operationName, variables]);
    if (key.length > MAX_KEY_LENGTH || (key.includes('null') && hasInfinity(variables))) return undefined;
    const revisionOf = (authorization: string | undefined) =>
      authorization === undefined ? undefined : cache.credential(authorization).revision();
    const revisions = compositeKey(revisionOf(bearer), revisionOf(basic ?? own));
    this.#lastSequence += 1;
    return this.#table.slot(revisions + key, { sequence: this.#lastSequence });
  }
}

/** JSON has no infinity, which `1e999` is read as: it would be written as null, and have the key of one. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** Whether the result of a query came entirely from the REST cache. */
function isFromCache({ definition }: PlannedOperation, { calls }: Pick<RestSession, 'calls'>): boolean {
  if (definition.operation !== OperationTypeNode.QUERY || calls.length === 0) return false;
  return calls.every(({ source }) => source === 'cache');
}

/** Caches a response until the first of the REST responses behind it expires. */
export function cacheResponse(
  slot: CacheSlot<CachedResponse>,
  { json, bounds }: Pick<CachedResponse, 'json' | 'bounds'>,
  { calls, cachedUntil }: Pick<RestSession, 'calls' | 'cachedUntil'>,
): void {
  // Its call records count as well: each holds its parameters, as values and as texts, which may be as long as a URL.
  let bytes = json.length + 3 * JSON.stringify(calls).length;
  const compressed = new CompressedBodies((added) => {
    bytes += added;
    slot.set(response, bytes, cachedUntil);
  });
  const response = { json, calls: [...calls], bounds, compressed };
  slot.set(response, bytes, cachedUntil);
}
