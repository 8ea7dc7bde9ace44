import type { IncomingMessage, ServerResponse } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { Config } from './config.ts';
import { basicAuthorization, type Context, callerSignal, credentialsOf } from './context.ts';
import { answerGraphql, type Exchange } from './http/graphql.ts';
import { type Log, logLine } from './log.ts';
import { useExecution } from './plugins/execution.ts';
import { useExplain } from './plugins/explain.ts';
import { useLimits } from './plugins/limits.ts';
import { createRestClient } from './rest/client.ts';
import { createMemories } from './rest/memory.ts';
import { schema } from './schema/index.ts';

const DOCUMENT_CACHE_BYTES = 8_000_000;

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
  > {
  readonly restUrl: URL;
  readonly log?: Log;
}

export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/**
 * A query becomes REST calls in four steps: Yoga parses and validates it and makes a Context; resolvers of
 * `schema/` ask loaders for records with the REST fields that the selection needs; the loaders make one
 * request of what is asked in the same tick; `rest/` sends it as the caller, and checks what comes back.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const {
    restUrl,
    application,
    parameterNames,
    restTimeoutMs,
    requestTimeoutMs,
    cacheTtlMs,
    maxCalls,
    maxFirst,
  } = options;
  const { log = logLine } = options;
  const client = createRestClient({ url: restUrl, timeoutMs: restTimeoutMs });
  const memories = createMemories(cacheTtlMs);
  const own = application && basicAuthorization(application.clientId, application.clientSecret);

  const engine = createYoga<Exchange, Context>({
    schema,
    context: ({ incoming, outgoing }) => ({
      explain: incoming.headers['x-explain'] === 'true',
      maxFirst,
      rest: {
        client,
        memories,
        fresh: /\bno-cache\b/.test(incoming.headers['cache-control'] ?? ''),
        credentials: credentialsOf(incoming.headers, own),
        parameterNames,
        signal: callerSignal(outgoing, requestTimeoutMs),
        maxCalls,
        calls: [],
      },
    }),
    plugins: [useLimits(), useExecution(maxCalls), useExplain()],
    parserAndValidationCache: { documentCache: boundedCache(), errorCache: boundedCache() },
    // What leaves is decided in errors.ts.
    maskedErrors: false,
    logging: false,
  });

  return {
    handle: (incoming, outgoing) => answerGraphql(engine, { incoming, outgoing }, log),
    close: () => client.close(),
  };
}

/** By the size of the document, since a thousand entries of a megabyte are a gigabyte. */
function boundedCache<Value extends object>(): LRUCache<string, Value> {
  return new LRUCache({
    maxSize: DOCUMENT_CACHE_BYTES,
    sizeCalculation: (_value, document) => 100 + document.length * 40,
  });
}
