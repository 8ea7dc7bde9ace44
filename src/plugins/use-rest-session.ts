import { GraphQLError } from 'graphql';
import { Budget } from '../execution/budget.ts';
import type { CallLimit } from '../limits/call-limit.ts';
import type { SharedBudget } from '../limits/shared-budget.ts';
import type { TextRules } from '../lists/text-rules.ts';
import type { RestCache } from '../rest/cache/rest-cache.ts';
import type { RestClient } from '../rest/client/client.ts';
import type { RestError } from '../rest/errors.ts';
import type { RefreshCoordinator } from '../rest/refresh-coordinator.ts';
import type { ParameterNames } from '../rest/resource.ts';
import { RestSession } from '../rest/session.ts';
import { bypassesCache } from './cache-control.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';

export interface RestSessionOptions {
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly refreshes: RefreshCoordinator | undefined;
  readonly callLimit: CallLimit | undefined;
  /** `Authorization` of the application that the gateway is configured with. */
  readonly ownAuthorization: string | undefined;
  readonly parameterNames: ParameterNames;
  /** The memory budget that all operations share. */
  readonly operations: SharedBudget;
  /** Called when an operation is aborted because they hold too much memory. */
  readonly onEvict: () => void;
  readonly requestTimeoutMs: number;
  readonly maxCalls: number;
  readonly maxFirst: number;
  /** How texts are compared. */
  readonly textRules: TextRules;
  readonly maxObjects: number;
  readonly maxResponseBytes: number;
}

/**
 * Gives an operation what its resolvers need: access to the REST service with the caller's own credentials, and the
 * limits of its time and memory. It stands behind the admission, and before the parameters, whose memory it counts.
 */
export function useRestSession(options: RestSessionOptions): GatewayPlugin {
  return {
    onRequestParse({ serverContext: context }) {
      context.cancellation.abortAfter(options.requestTimeoutMs);
      const session = createSession(options, context);
      const { observed } = context;
      Object.assign(context, session);
      context.endings.push(() => {
        session.holding.release();
        const { calls, busy } = session.rest;
        observed.setCalls(calls, busy.total(performance.now()));
      });
    },
  };
}

/** The part of the context that belongs to an operation. */
export function createSession(
  options: RestSessionOptions,
  context: Pick<GatewayContext, 'cancellation' | 'headers' | 'credentials' | 'owner' | 'observed'>,
): Pick<GatewayContext, 'loaders' | 'maxFirst' | 'textRules' | 'budget' | 'holding' | 'rest'> {
  const { client, cache, refreshes, callLimit, parameterNames } = options;
  const { maxCalls, maxFirst, textRules, maxObjects, maxResponseBytes } = options;
  const { cancellation, headers, owner, observed } = context;
  const holding = options.operations.hold(
    owner,
    () => {
      options.onEvict();
      cancellation.abort('evicted');
      budget.stop(abortError(cancellation.error()));
    },
    () => !budget.isProtected,
  );
  const budget = new Budget({
    maxObjects,
    maxBytes: maxResponseBytes,
    onGrowth: (added) => holding.add(added),
    abortReason: () => (cancellation.isAborted ? abortError(cancellation.error()) : undefined),
    onStop: () => cancellation.abort('closed'),
  });
  return {
    loaders: {},
    maxFirst,
    textRules,
    budget,
    holding,
    rest: new RestSession({
      client,
      cache,
      credentials: { ...context.credentials, own: options.ownAuthorization },
      owner,
      parameterNames,
      refreshes,
      callLimit,
      maxCalls,
      bypassCache: bypassesCache(headers['cache-control']),
      cancellation,
      hold: (added) => holding.add(added),
      tracer: observed.trace,
    }),
  };
}

/** With message and code of its own: a mutation adds to the message that its writes were made. */
function abortError(originalError: RestError): GraphQLError {
  const { message, code } = originalError;
  return new GraphQLError(message, { originalError, extensions: { code } });
}
