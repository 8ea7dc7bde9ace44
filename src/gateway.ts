import type { IncomingHttpHeaders } from 'node:http';
import { createYoga } from 'graphql-yoga';
import type { Config } from './config.ts';
import { basicAuthorization, type Context, credentialsOf } from './context.ts';
import type { Exchange } from './http/exchange.ts';
import { answerGraphql } from './http/graphql.ts';
import type { OperationRequest } from './http/operation.ts';
import { type Log, logLine } from './log.ts';
import { createDocuments, useLimits } from './plugins/documents.ts';
import { useExecution } from './plugins/execution.ts';
import { createRestClient, type RestState } from './rest/client.ts';
import { createMemories } from './rest/memory.ts';
import { ownerAt } from './rest/owner.ts';
import type { Credentials } from './rest/session.ts';
import { schema } from './schema/index.ts';

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
  /** Answers an operation, unless its caller leaves before. */
  handle(operation: OperationRequest, exchange: Exchange): Promise<void>;
  /** Whom a request counts for wherever something limited is shared: a credential by its hash, or an address. */
  ownerOf(headers: IncomingHttpHeaders, address: string | undefined): string;
  restState(): Promise<RestState>;
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

  function ownerOf({ bearer, basic }: Credentials, address: string | undefined): string {
    const authorization = bearer ?? basic;
    return authorization === undefined ? ownerAt(address) : memories.of(authorization).owner(address);
  }

  function contextOf({ incoming: { headers, socket }, caller }: Exchange): Context {
    const credentials = credentialsOf(headers, own);
    return {
      loaders: {},
      explain: headers['x-explain'] === 'true',
      maxFirst,
      rest: {
        client,
        memories,
        fresh: /\bno-cache\b/.test(headers['cache-control'] ?? ''),
        credentials,
        owner: ownerOf(credentials, socket.remoteAddress),
        parameterNames,
        caller,
        maxCalls,
        calls: [],
        freshUntil: Number.POSITIVE_INFINITY,
      },
    };
  }

  const { getEnveloped } = createYoga<Context>({
    schema,
    plugins: [useLimits(), useExecution(maxCalls)],
    parserAndValidationCache: false,
    // What leaves is decided in errors.ts.
    maskedErrors: false,
    logging: false,
  });

  const answering = { getEnveloped, documents: createDocuments(), log };

  return {
    handle(operation, exchange) {
      exchange.caller.leaveAfter(requestTimeoutMs);
      return answerGraphql(answering, operation, contextOf(exchange), exchange);
    },
    ownerOf: (headers, address) => ownerOf(credentialsOf(headers), address),
    restState: () => client.state(),
    close: () => client.close(),
  };
}
