import { GraphQLError } from 'graphql';
import { Budget } from '../execution/budget.ts';
import type { CallLimit } from '../limits/call-limit.ts';
import type { Holding, SharedBudget } from '../limits/shared-budget.ts';
import { bypassesCache } from '../plugins/cache-control.ts';
import { credentialsOf } from '../plugins/credentials.ts';
import type { RestCache } from '../rest/cache/rest-cache.ts';
import type { Cancellation } from '../rest/client/cancellation.ts';
import type { RestClient } from '../rest/client/client.ts';
import type { RestError } from '../rest/errors.ts';
import type { RefreshCoordinator } from '../rest/refresh-coordinator.ts';
import type { ParameterNames } from '../rest/resource.ts';
import { RestSession } from '../rest/session.ts';
import type { Context } from '../schema/context.ts';
import type { GatewayRequest } from './request.ts';

/** The context of resolvers, with what only the gateway uses. */
export interface OperationContext extends Context {
  /** Its part of the memory budget that all operations share. */
  readonly holding: Holding;
  /** Whether the response lists the REST calls that it took. */
  readonly explain: boolean;
}

export interface ContextOptions {
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly refreshes?: RefreshCoordinator | undefined;
  readonly callLimit?: CallLimit | undefined;
  /** `Authorization` of the application that the gateway is configured with. */
  readonly ownAuthorization: string | undefined;
  readonly parameterNames: ParameterNames;
  /** The memory budget that all operations share. */
  readonly operations: SharedBudget;
  /** Called when an operation is aborted because they hold too much memory. */
  readonly onEvict: () => void;
  readonly maxCalls: number;
  readonly maxFirst: number;
  readonly maxObjects: number;
  readonly maxResponseBytes: number;
}

export function createContext(
  options: ContextOptions,
  { headers, owner, bytes, observed }: GatewayRequest,
  cancellation: Cancellation,
): OperationContext {
  const { client, cache, refreshes, callLimit, parameterNames } = options;
  const { maxCalls, maxFirst, maxObjects, maxResponseBytes } = options;
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
  holding.add(bytes);
  const rest = new RestSession({
    client,
    cache,
    credentials: credentialsOf(headers, options.ownAuthorization),
    owner,
    parameterNames,
    refreshes,
    callLimit,
    maxCalls,
    bypassCache: bypassesCache(headers['cache-control']),
    cancellation,
    hold: (added) => holding.add(added),
    tracer: observed?.trace,
  });
  return {
    rest,
    loaders: {},
    explain: headers['x-explain'] === 'true',
    maxFirst,
    budget,
    holding,
  };
}

/** With message and code of its own: a mutation adds to the message that its writes were made. */
function abortError(originalError: RestError): GraphQLError {
  const { message, code } = originalError;
  return new GraphQLError(message, { originalError, extensions: { code } });
}
