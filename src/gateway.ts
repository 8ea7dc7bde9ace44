import type { IncomingHttpHeaders } from 'node:http';
import { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { Budget } from './budget.ts';
import type { Config } from './config.ts';
import { basicAuthorization, type Context, credentialsOf } from './context.ts';
import { wantsFresh } from './http/cache-control.ts';
import { answerGraphql } from './http/graphql.ts';
import type { GraphqlRequest } from './http/graphql-request.ts';
import type { OperationRequest } from './http/operation.ts';
import type { GraphqlResponse } from './http/response.ts';
import { type Log, logLine } from './log.ts';
import { type MemoryLimits, memoryLimits } from './memory-limits.ts';
import { createDocuments, useLimits } from './plugins/documents.ts';
import { useExecution } from './plugins/execution.ts';
import { createRestClient, type RestState } from './rest/client.ts';
import type { RestError } from './rest/errors.ts';
import { createMemories } from './rest/memory.ts';
import { ownerAt } from './rest/owner.ts';
import { SharedBudget } from './rest/shared-budget.ts';
import { schema } from './schema/index.ts';

/** An empty list takes three characters of a request, and more than ten times that once it is parsed. */
const VARIABLES_FACTOR = 10;

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
  > {
  readonly restUrl: URL;
  /** How much of the heap each part may take. */
  readonly memory?: MemoryLimits;
  readonly log?: Log;
}

export interface Gateway {
  /** Answers an operation, unless its caller leaves before. */
  handle(operation: OperationRequest, request: GraphqlRequest): Promise<GraphqlResponse>;
  /** Whom a request counts for wherever something limited is shared: a credential by its hash, or an address. */
  ownerOf(headers: IncomingHttpHeaders, address: string): string;
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
    maxObjects,
    maxAnswerBytes,
  } = options;
  const { log = logLine, memory = memoryLimits() } = options;
  const operations = new SharedBudget(memory.operationBytes, { evicts: 'newest' });
  const client = createRestClient({ url: restUrl, timeoutMs: restTimeoutMs, maxBytes: memory.restBytes });
  const memories = createMemories(cacheTtlMs, memory.cacheBytes);
  const own = application && basicAuthorization(application.clientId, application.clientSecret);

  const contextOf = ({ headers, caller, owner }: GraphqlRequest): Context => {
    const holding = operations.hold(
      owner,
      () => {
        caller.leave('crowded out');
        budget.stop(crowdedOut(caller.error()));
      },
      () => !budget.isProtected,
    );
    const budget = new Budget({
      maxObjects,
      // A longer one would be cut off by those that others are reading.
      maxBytes: Math.min(maxAnswerBytes, Math.floor(memory.unsentBytes / 2)),
      onGrowth: (bytes) => holding.add(bytes),
      cancelled: () => (caller.isGone ? new GraphQLError('', { originalError: caller.error() }) : undefined),
      onStop: () => caller.leave('left'),
    });
    return {
      loaders: {},
      explain: headers['x-explain'] === 'true',
      maxFirst,
      budget,
      holding,
      rest: {
        client,
        memories,
        fresh: wantsFresh(headers['cache-control']),
        startedAt: performance.now(),
        credentials: credentialsOf(headers, own),
        owner,
        parameterNames,
        caller,
        maxCalls,
        calls: [],
        hold: (bytes) => holding.add(bytes),
        freshUntil: Number.POSITIVE_INFINITY,
      },
    };
  };

  const { getEnveloped } = createYoga<Context>({
    schema,
    plugins: [useLimits(), useExecution({ maxCalls, maxObjects, maxFirst })],
    parserAndValidationCache: false,
    // What leaves is decided in errors.ts.
    maskedErrors: false,
    logging: false,
  });

  const answering = { getEnveloped, documents: createDocuments(), log };

  return {
    async handle(operation, request) {
      request.caller.leaveAfter(requestTimeoutMs);
      const context = contextOf(request);
      context.holding.add(operation.bytes * VARIABLES_FACTOR);
      try {
        return await answerGraphql(answering, operation, context, request);
      } finally {
        context.holding.release();
      }
    },
    ownerOf(headers, address) {
      const { bearer, basic } = credentialsOf(headers);
      const authorization = bearer ?? basic;
      return authorization === undefined ? ownerAt(address) : memories.of(authorization).owner(address);
    },
    restState: () => client.state(),
    close: () => client.close(),
  };
}

function crowdedOut(originalError: RestError): GraphQLError {
  return new GraphQLError(originalError.message, { originalError, extensions: { http: { status: 503 } } });
}
