import type { DocumentNode } from 'graphql';
import type { YogaServerOptions } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { ChangeStreams } from '../changes/streams.ts';
import type { Config } from '../config/index.ts';
import { estimateDocumentBytes, planCache } from '../execution/operation.ts';
import { exportPaths } from '../export/export-request.ts';
import { FairLimit } from '../limits/fair-limit.ts';
import { getAddressKey } from '../limits/limit-key.ts';
import { memoryLimits } from '../limits/memory.ts';
import { SlotPool } from '../limits/slots.ts';
import { createCollation } from '../lists/text.ts';
import type { Readiness } from '../pages/status.ts';
import { createRestCache } from '../rest/cache/rest-cache.ts';
import { type Credentials, getMainCache } from '../rest/call.ts';
import { CallLimit } from '../rest/call-limit.ts';
import { createRestClient, type RestEvents } from '../rest/client/client.ts';
import { proxyFor } from '../rest/client/proxy.ts';
import { createSchema, schema } from '../schema/index.ts';
import { getRedisAddress } from '../sharing/redis.ts';
import { createSharing } from '../sharing/sharing.ts';
import { type Log, logToStderr } from '../telemetry/log.ts';
import { NO_TELEMETRY, type RequestTelemetry } from '../telemetry/telemetry.ts';
import { trustProxies } from './client-address.ts';
import { basicAuthorization } from './credentials.ts';

/** The options of a gateway. `readConfig` reads all but `restUrl` from the environment. */
export interface GatewayOptions extends Config {
  readonly restUrl: URL;
  /** Default: `/graphql`. */
  readonly graphqlEndpoint?: string;
  /** Plugins of Yoga or Envelop. */
  readonly plugins?: NonNullable<YogaServerOptions<object, object>['plugins']>;
  readonly log?: Log;
  /** Sends all REST calls, so `httpsProxy` is not used. The gateway does not close it. */
  readonly dispatcher?: Dispatcher;
  /**
   * Returns a client's address, such as Fastify's `request.ip`, from the server's context. By default the gateway finds
   * it with `trustedProxies`, if that context has Node's request as `req`.
   */
  clientAddress?(serverContext: object): string | undefined;
}

/** Options for the gateway's own server. */
export interface HostOptions {
  /** Whether the server has pages, such as the documentation. */
  readonly hasPages?: boolean;
  /** Whether pages of this machine may read responses if `corsOrigins` is empty. */
  readonly allowsLocalPages?: boolean;
  readonly telemetry?: RequestTelemetry;
  readonly events?: RestEvents;
  readonly memory?: ReturnType<typeof memoryLimits>;
}

/** Long enough for the next full garbage collection, which shows how much memory is free again. */
const FREE_PAUSE_MS = 2_000;

export type GatewayState = ReturnType<typeof createGatewayState>;

/** Creates the state that all operations of a gateway share. */
export function createGatewayState(options: GatewayOptions, host: HostOptions) {
  const { restUrl, application, dispatcher, restTimeoutMs, cacheTtlMs, credentialCallsPerMinute } = options;
  const { plugins = [], log = logToStderr } = options;
  const {
    hasPages = false,
    allowsLocalPages = false,
    telemetry = NO_TELEMETRY,
    memory = memoryLimits(),
  } = host;
  const memoryBudget = new FairLimit(memory.operationBytes);
  const proxy = proxyFor(restUrl, options);
  const call = { url: restUrl, timeoutMs: restTimeoutMs, proxy, dispatcher };
  const client = createRestClient({ ...call, memory: memoryBudget, events: host.events });
  const { redisUrl = '' } = options.sharing ?? {};
  const sharing =
    options.sharing &&
    createSharing(options.sharing, restTimeoutMs, (redis, reason) => {
      const address = getRedisAddress(redisUrl);
      log(redis === 'connected' ? 'info' : 'warn', `redis ${redis}`, { address, reason });
    });
  const cache = createRestCache(cacheTtlMs, memory.cacheBytes, sharing?.cache);
  sharing?.attachCache(cache);
  const callLimit =
    credentialCallsPerMinute > 0 ? new CallLimit(credentialCallsPerMinute, sharing?.countCall) : undefined;
  const { parameterNames, changesPollMs: pollMs, changesLookbackMs: lookbackMs } = options;
  const streams = new ChangeStreams({ pollMs, lookbackMs, cacheTtlMs });
  // Limited by bytes, where Yoga would count entries. All callers share both caches.
  const documents = createByteCache<DocumentNode>(16_000_000, estimateDocumentBytes);
  const persisted = createByteCache<string>(8_000_000, (text) => 300 + 2 * text.length);
  const slots = {
    operations: new SlotPool(options.maxOperations),
    exports: new SlotPool(options.maxExports),
    subscriptions: new SlotPool(options.maxSubscriptions),
  };
  const { graphqlEndpoint: endpoint = '/graphql' } = options;
  return {
    ...options,
    endpoint,
    /** The paths of exports, with their formats. */
    filePaths: exportPaths(endpoint),
    findClientAddress: trustProxies(options.trustedProxies, log),
    log,
    telemetry,
    hasPages,
    allowsLocalPages,
    // Plugins may change the schema, so they get their own copy.
    schema: plugins.length > 0 ? createSchema() : schema,
    collation: createCollation(options.orderLocale),
    // Sending a longer response would fail while others are being sent.
    maxResponseBytes: Math.min(options.maxAnswerBytes, Math.floor(memory.operationBytes / 2)),
    /** Counts bodies and REST responses until their operations end, and responses until they are sent. */
    memoryBudget,
    slots,
    documents,
    persisted,
    callLimit,
    streams,
    /** Shared by all sessions with the REST service. */
    rest: { client, cache, parameterNames, refreshes: sharing?.refreshes, callLimit },
    /** The `Authorization` of the configured application. */
    ownAuthorization: application && basicAuthorization(application.clientId, application.clientSecret),
    /** Returns the key of a request in shared limits: the hash of its credential, or its address. */
    getLimitKey: (credentials: Credentials, address: string | undefined): string =>
      getMainCache(cache, credentials)?.getLimitKey(address) ?? getAddressKey(address),
    readiness(): Readiness {
      if (streams.isEnding) return 'stopping';
      if (slots.operations.isPaused) return 'low_memory';
      return slots.operations.isSaturated ? 'overloaded' : 'ready';
    },
    /** Empties the caches and starts no operations for a moment. */
    freeMemory(): void {
      cache.clear();
      documents.clear();
      planCache.clear();
      for (const pool of Object.values(slots)) pool.pauseFor(FREE_PAUSE_MS);
    },
    /** Makes the gateway not ready, accepts no more subscriptions, and ends open ones, spread over `spreadMs`. */
    endSubscriptions(spreadMs: number): void {
      streams.end(spreadMs);
      slots.subscriptions.rejectWaiting();
    },
    /** Rejects requests that wait for a slot, when no time is left to run them. */
    rejectWaiting(): void {
      for (const pool of Object.values(slots)) pool.rejectWaiting();
    },
    stats: () => ({
      rest: client.stats(),
      operationsInFlight: slots.operations.inUse,
      exportsInFlight: slots.exports.inUse,
      streamsInFlight: slots.subscriptions.inUse,
      /** How many requests wait for a slot. */
      waiting: {
        operations: slots.operations.waiting,
        exports: slots.exports.waiting,
        subscriptions: slots.subscriptions.waiting,
      },
      memory: { operations: memoryBudget.inUse },
      caches: {
        rest: cache.getSize(),
        document: measure(documents),
        persisted: measure(persisted),
        plan: measure(planCache),
      },
      /** With `sharing`: the state of Redis, and counts of commands. */
      sharing: sharing?.stats(),
    }),
    /** Resolves once the tokens in flight have been refreshed. */
    refreshed: () => cache.refreshesInFlight.whenSettled(),
    async close(): Promise<void> {
      streams.end(0);
      sharing?.close();
      await client.close();
    },
  };
}

function createByteCache<Value extends object | string>(maxSize: number, sizeOf: (value: Value) => number) {
  return new LRUCache<string, Value>({ maxSize, sizeCalculation: sizeOf });
}

function measure(cache: { readonly calculatedSize: number; readonly size: number }) {
  return { bytes: cache.calculatedSize, entries: cache.size };
}
