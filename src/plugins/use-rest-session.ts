import { GraphQLError } from 'graphql';
import { Budget } from '../execution/budget.ts';
import type { CallLimit } from '../limits/call-limit.ts';
import type { SharedBudget } from '../limits/shared-budget.ts';
import { Sequence } from '../lists/sequence.ts';
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
  /** In its place for exports. */
  readonly exportTimeoutMs: number;
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
      const { requestTimeoutMs, exportTimeoutMs } = options;
      context.cancellation.abortAfter(context.exported ? exportTimeoutMs : requestTimeoutMs);
      const session = createSession(options, context);
      const { observed } = context;
      Object.assign(context, session);
      context.endings.push(() => {
        session.holding.release();
        const { calls, busy } = session.rest;
        observed.addCalls(calls, busy.total(performance.now()));
      });
    },
  };
}

type Caller = Pick<GatewayContext, 'cancellation' | 'headers' | 'credentials' | 'owner' | 'observed'>;

/** The part of the context that belongs to an operation. */
export function createSession(
  options: RestSessionOptions,
  context: Caller,
): Pick<GatewayContext, 'loaders' | 'sequence' | 'maxFirst' | 'textRules' | 'budget' | 'holding' | 'rest'> {
  const { maxCalls, maxFirst, textRules } = options;
  const { cancellation, owner } = context;
  const hold = (added: number) => holding.add(added);
  const holding = options.operations.hold(
    owner,
    () => {
      options.onEvict();
      cancellation.abort('evicted');
      budget.stop(abortError(cancellation.error()));
    },
    () => !budget.isProtected,
  );
  const budget = createBudget(options, context, hold);
  return {
    loaders: {},
    sequence: new Sequence(),
    maxFirst,
    textRules,
    budget,
    holding,
    rest: createRest(options, context, { hold, maxCalls }),
  };
}

/**
 * The same for one page of an export, within what the export as a whole holds; `end` releases what the page does. A list
 * that the gateway orders is one page, which only its memory limits.
 */
export function createPageSession(
  options: RestSessionOptions,
  context: Caller & Pick<GatewayContext, 'holding'>,
  rows: number,
): Pick<GatewayContext, 'loaders' | 'sequence' | 'maxFirst' | 'budget' | 'rest'> & {
  readonly end: () => void;
} {
  const { holding, observed } = context;
  let held = 0;
  const hold = (added: number) => {
    held += added;
    holding.add(added);
  };
  const rest = createRest(options, context, { hold, storesLists: false });
  return {
    loaders: {},
    sequence: new Sequence(),
    maxFirst: Math.max(options.maxFirst, rows),
    budget: createBudget(UNLIMITED, context, hold),
    rest,
    end() {
      hold(-held);
      observed.addCalls(rest.calls, rest.busy.total(performance.now()));
    },
  };
}

type Hold = (bytes: number) => void;

const UNLIMITED = { maxObjects: Number.POSITIVE_INFINITY, maxResponseBytes: Number.POSITIVE_INFINITY };

function createBudget(
  { maxObjects, maxResponseBytes }: Pick<RestSessionOptions, 'maxObjects' | 'maxResponseBytes'>,
  { cancellation }: Caller,
  onGrowth: Hold,
): Budget {
  return new Budget({
    maxObjects,
    maxBytes: maxResponseBytes,
    onGrowth,
    abortReason: () => (cancellation.isAborted ? abortError(cancellation.error()) : undefined),
    onStop: () => cancellation.abort('closed'),
  });
}

function createRest(
  options: RestSessionOptions,
  { cancellation, headers, credentials, owner, observed }: Caller,
  ofOperation: { readonly hold: Hold; readonly maxCalls?: number; readonly storesLists?: boolean },
): RestSession {
  const { client, cache, refreshes, callLimit, parameterNames, ownAuthorization } = options;
  return new RestSession({
    client,
    cache,
    credentials: { ...credentials, own: ownAuthorization },
    owner,
    parameterNames,
    refreshes,
    callLimit,
    bypassCache: bypassesCache(headers['cache-control']),
    cancellation,
    tracer: observed.trace,
    ...ofOperation,
  });
}

/** With message and code of its own: a mutation adds to the message that its writes were made. */
function abortError(originalError: RestError): GraphQLError {
  const { message, code } = originalError;
  return new GraphQLError(message, { originalError, extensions: { code } });
}
