import type { IncomingHttpHeaders } from 'node:http';
import { getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Config } from '../config/index.ts';
import { planCacheSize } from '../execution/plan-cache.ts';
import { CallLimit } from '../limits/call-limit.ts';
import { type MemoryLimits, memoryLimits } from '../limits/memory-limits.ts';
import { ownerAt } from '../limits/owner.ts';
import { SharedBudget } from '../limits/shared-budget.ts';
import type { CacheSize } from '../rest/cache/cache-table.ts';
import { RestCache } from '../rest/cache/rest-cache.ts';
import type { Cancellation } from '../rest/client/cancellation.ts';
import {
  type CallLimits,
  createRestClient,
  type RestClientStats,
  type RestState,
} from '../rest/client/client.ts';
import { NO_EVENTS, type RestEvents } from '../rest/client/events.ts';
import { createSchema, schema } from '../schema/index.ts';
import type { SharingEvents } from '../sharing/events.ts';
import { createSharing, type Sharing, type SharingOptions } from '../sharing/sharing.ts';
import { type Log, logToStderr } from '../telemetry/log.ts';
import { createContext, type OperationContext } from './context.ts';
import type { CostLimits } from './cost.ts';
import { basicAuthorization, credentialsOf } from './credentials.ts';
import { DocumentCache } from './documents/document-cache.ts';
import { parseBounded, validateBounded } from './documents/limits.ts';
import { findByText, findTrusted } from './documents/trusted-documents.ts';
import { executeOperation } from './engine.ts';
import { requestError } from './errors.ts';
import { rateLimitHeaders } from './rate-limit.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';
import { respondFromCache, respondWith, respondWithError } from './response.ts';
import { ResponseCache } from './response-cache.ts';

/** The REST cache's share of the memory for caches; the rest is for the response cache. */
const REST_CACHE_SHARE = 0.75;

export interface GatewayOptions
  extends Pick<
    Config,
    | 'application'
    | 'parameterNames'
    | 'restTimeoutMs'
    | 'requestTimeoutMs'
    | 'cacheTtlMs'
    | 'maxCalls'
    | 'maxFirst'
    | 'maxObjects'
    | 'maxAnswerBytes'
    | 'trustedDocuments'
    | 'credentialCallsPerMinute'
  > {
  readonly restUrl: URL;
  /** How much of the heap each component may use. */
  readonly memory?: MemoryLimits;
  readonly log?: Log;
  /** Of REST calls; for a process that shares them with others, its part. */
  readonly callLimits?: CallLimits;
  /** Told what happens, for metrics. */
  readonly events?: GatewayEvents;
  /** What replicas share through Redis; if absent, each works alone. */
  readonly sharing?: SharingOptions;
  /** What processes share in another way than through Redis. */
  readonly sharedBy?: Omit<Sharing, 'state' | 'counters'> | undefined;
  /** Told of the state of Redis, with `sharing`. */
  readonly sharingEvents?: SharingEvents;
  /** Plugins of Yoga or Envelop. With any, operations go through Yoga's full pipeline, which is slower. */
  readonly plugins?: readonly Plugin[];
}

export interface GatewayEvents extends RestEvents {
  shed(reason: 'rest_queue' | 'rest_memory' | 'operation_memory'): void;
}

/** For metrics. */
export interface GatewayStats {
  readonly rest: RestClientStats;
  /** What is held of each memory budget, in bytes. */
  readonly memory: { readonly [budget: string]: number };
  /** By name of the cache. */
  readonly caches: { readonly [cache: string]: CacheSize };
  /** With `sharing`: the state of Redis, and counts of commands. */
  readonly sharing: Pick<Sharing, 'state' | 'counters'> | undefined;
}

export interface Gateway {
  /** Runs one operation. Rejects only for a bug in the gateway itself. */
  run(request: GatewayRequest, cancellation: Cancellation): Promise<GatewayResponse>;
  /** The key that shared limits count a request under: the hash of its credential, or its address. */
  ownerOf(headers: IncomingHttpHeaders, address: string): string;
  restState(): Promise<RestState>;
  stats(): GatewayStats;
  close(): Promise<void>;
}

/**
 * A query becomes REST calls in four steps: its document is parsed, validated and planned once; resolvers in
 * `schema/` request records from loaders, with the REST fields that the selection needs; the loaders batch what is
 * requested in the same tick; `rest/` sends the calls with the caller's credentials and validates the responses.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { restUrl, application, restTimeoutMs, requestTimeoutMs, cacheTtlMs, trustedDocuments } = options;
  const {
    log = logToStderr,
    memory = memoryLimits(),
    plugins = [],
    events = NO_EVENTS,
    callLimits,
  } = options;
  const client = createRestClient({
    url: restUrl,
    timeoutMs: restTimeoutMs,
    maxBytes: memory.restBytes,
    events,
    ...(callLimits && { limits: callLimits }),
    // Plugins read results, and expect ordinary strings.
    decodeText: plugins.length > 0,
  });
  const redis =
    options.sharing && createSharing(options.sharing, { restTimeoutMs, events: options.sharingEvents });
  const sharing = redis ?? options.sharedBy;
  const cache = new RestCache(cacheTtlMs, memory.cacheBytes * REST_CACHE_SHARE, sharing?.cache);
  sharing?.keepInStep(cache);
  const { credentialCallsPerMinute } = options;
  const callLimit =
    credentialCallsPerMinute > 0 ? new CallLimit(credentialCallsPerMinute, sharing?.reserve) : undefined;
  const responses = new ResponseCache(cacheTtlMs, memory.cacheBytes * (1 - REST_CACHE_SHARE));
  const documents = new DocumentCache();
  const findDocument = trustedDocuments ? findTrusted(trustedDocuments) : findByText;
  const operations = new SharedBudget(memory.operationBytes, { evicts: 'newest' });
  const contextOptions = {
    ...options,
    client,
    cache,
    refreshes: sharing?.refreshes,
    callLimit,
    ownAuthorization: application && basicAuthorization(application.clientId, application.clientSecret),
    operations,
    onEvict: () => events.shed('operation_memory'),
    // A longer response would be cut off as soon as others are being sent.
    maxResponseBytes: Math.min(options.maxAnswerBytes, Math.floor(memory.unsentBytes / 2)),
  };
  const pipeline = plugins.length > 0 ? loadPipeline(plugins, options) : undefined;

  async function respond(request: GatewayRequest, context: OperationContext): Promise<GatewayResponse> {
    const { params, isReadOnly, requestId, observed } = request;
    const { operationName, variables } = params;
    const responseOptions = { requestId, log, observed, text: context.rest.text };
    try {
      const text = findDocument(params);
      if (pipeline) return await (await pipeline)(request, text, context, responseOptions);
      const document = documents.read(text, ENGINE, context.rest.hold);
      observed?.setDocument(document, operationName);
      if (isReadOnly) requireQuery(getOperationAST(document, operationName)?.operation);
      const slot = responses.slot({ document, operationName, variables }, context.rest);
      if (slot?.entry) return respondFromCache(slot.entry.value, context, responseOptions);
      const args = { schema, document, variableValues: variables, operationName };
      const result = await executeOperation(args, context, options);
      return await respondWith(result, context, slot, responseOptions);
    } catch (error) {
      return respondWithError(error, responseOptions);
    }
  }

  return {
    async run(request, cancellation) {
      cancellation.abortAfter(requestTimeoutMs);
      const context = createContext(contextOptions, request, cancellation);
      try {
        const response = await respond(request, context);
        if (callLimit === undefined) return response;
        return {
          ...response,
          headers: { ...response.headers, ...rateLimitHeaders(callLimit, context.rest) },
        };
      } finally {
        context.holding.release();
        const { calls, busy } = context.rest;
        request.observed?.setCalls(calls, busy.total(performance.now()));
      }
    },
    ownerOf(headers, address) {
      const { bearer, basic } = credentialsOf(headers);
      const authorization = bearer ?? basic;
      return authorization === undefined ? ownerAt(address) : cache.credential(authorization).owner(address);
    },
    restState: () => client.state(),
    stats: () => ({
      rest: client.stats(),
      memory: { operations: operations.held, rest: client.stats().memoryBytes },
      caches: { ...cache.sizes(), response: responses.size, document: documents.size, plan: planCacheSize() },
      sharing: redis,
    }),
    async close() {
      sharing?.close();
      await client.close();
    },
  };
}

/** Documents are parsed and validated within limits. */
const ENGINE = { schema, parse: parseBounded, validate: validateBounded };

/** Yoga is loaded only if there are plugins: without them it would do nothing but take time, at the start most of all. */
async function loadPipeline(plugins: readonly Plugin[], limits: CostLimits) {
  const { createYogaPipeline } = await import('./yoga-pipeline.ts');
  return createYogaPipeline({ schema: createSchema(), plugins, limits });
}

/** A GET can be triggered by a link or an image, so it must not have side effects. */
function requireQuery(operation: OperationTypeNode | undefined): void {
  if (operation === OperationTypeNode.MUTATION)
    throw requestError(405, 'METHOD_NOT_ALLOWED', 'Send a mutation by POST.', { Allow: 'POST' });
}
