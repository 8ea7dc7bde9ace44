import { GraphQLError } from 'graphql';
import type { Caller as ChangesCaller } from '../changes/caller.ts';
import type { OpenChanges } from '../changes/change.ts';
import type { ChangeFeeds } from '../changes/feeds.ts';
import { Budget } from '../execution/budget.ts';
import type { CallLimit } from '../limits/call-limit.ts';
import type { SharedBudget } from '../limits/shared-budget.ts';
import { Sequence } from '../lists/sequence.ts';
import type { TextRules } from '../lists/text-rules.ts';
import { authorizationFor } from '../rest/authorization.ts';
import type { RestCache } from '../rest/cache/rest-cache.ts';
import type { CallTracer } from '../rest/call-tracer.ts';
import type { Cancellation } from '../rest/client/cancellation.ts';
import type { RestClient } from '../rest/client/client.ts';
import type { RestError } from '../rest/errors.ts';
import type { RefreshCoordinator } from '../rest/refresh-coordinator.ts';
import type { ParameterNames } from '../rest/resource.ts';
import type { Credentials } from '../rest/session.ts';
import { RestSession } from '../rest/session.ts';
import { introspectCaller } from '../rest/viewer.ts';
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
  readonly feeds: ChangeFeeds;
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

type Caller = Pick<
  GatewayContext,
  'cancellation' | 'headers' | 'credentials' | 'owner' | 'observed' | 'client'
>;

/** The part of the context that belongs to an operation. */
export function createSession(
  options: RestSessionOptions,
  context: Caller,
): Pick<
  GatewayContext,
  'loaders' | 'sequence' | 'maxFirst' | 'textRules' | 'budget' | 'holding' | 'rest' | 'changes'
> {
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
  const rest = createRest(options, callOf(context), { hold, maxCalls });
  return {
    loaders: {},
    sequence: new Sequence(),
    maxFirst,
    textRules,
    budget,
    holding,
    rest,
    changes: openChanges(options, context, rest, hold),
  };
}

/** Streams of changes are read with the caller's credential, apart from the operation that has opened them. */
function openChanges(
  options: RestSessionOptions,
  { credentials, client }: Caller,
  rest: RestSession,
  hold: Hold,
): OpenChanges {
  return (request) => {
    const cache = options.cache.credential(authorizationFor(credentials, 'bearer'));
    const owner = () => cache.owner(client?.address);
    const caller: ChangesCaller = {
      credential: cache.hash,
      createRest: (cancellation, holdPages) =>
        createRest(
          options,
          { cancellation, credentials, owner: owner(), bypassCache: true, tracer: undefined },
          { hold: holdPages, storesLists: false },
        ),
      dropCached: () => cache.invalidate(),
      hold: (onEvict) => options.operations.hold(owner(), onEvict),
    };
    return options.feeds.open(caller, request, { hold, expiresAt: expiryOf(rest) });
  };
}

/** When the caller's token expires, if an application is there to ask. */
async function expiryOf(rest: RestSession): Promise<number | undefined> {
  const { basic, own } = rest.credentials;
  if (basic === undefined && own === undefined) return undefined;
  try {
    const { exp } = await introspectCaller(rest);
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    // A token that is refused is told by what it reads.
    return undefined;
  }
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
  const rest = createRest(options, callOf(context), { hold, storesLists: false });
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

/** The same for events of a stream that are told together, so that their lookups share batches. */
export function createEventSession(
  options: RestSessionOptions,
  context: Caller & Pick<GatewayContext, 'holding'>,
  events: number,
): Pick<GatewayContext, 'loaders' | 'sequence' | 'rest'> & {
  readonly createBudget: () => Budget;
  readonly end: () => void;
} {
  const { holding, observed } = context;
  let held = 0;
  const hold = (added: number) => {
    held += added;
    holding.add(added);
  };
  const rest = createRest(options, callOf(context), { hold, maxCalls: options.maxCalls * events });
  return {
    loaders: {},
    sequence: new Sequence(),
    rest,
    createBudget: () => createBudget(options, context, hold),
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

/** Whose calls are sent, and how. */
interface CallOptions {
  readonly cancellation: Cancellation;
  readonly credentials: Credentials;
  readonly owner: string;
  readonly bypassCache: boolean;
  readonly tracer: CallTracer | undefined;
}

function callOf({ cancellation, headers, credentials, owner, observed }: Caller): CallOptions {
  const bypassCache = bypassesCache(headers['cache-control']);
  return { cancellation, credentials, owner, bypassCache, tracer: observed.trace };
}

function createRest(
  options: RestSessionOptions,
  { credentials, ...call }: CallOptions,
  ofOperation: { readonly hold: Hold; readonly maxCalls?: number; readonly storesLists?: boolean },
): RestSession {
  const { client, cache, refreshes, callLimit, parameterNames, ownAuthorization } = options;
  return new RestSession({
    client,
    cache,
    credentials: { ...credentials, own: ownAuthorization },
    parameterNames,
    refreshes,
    callLimit,
    ...call,
    ...ofOperation,
  });
}

/** With message and code of its own: a mutation adds to the message that its writes were made. */
function abortError(originalError: RestError): GraphQLError {
  const { message, code } = originalError;
  return new GraphQLError(message, { originalError, extensions: { code } });
}
