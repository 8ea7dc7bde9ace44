import { AnswerSize } from '../execution/answer-size.ts';
import { overloaded } from '../http/errors.ts';
import type { GatewayContext } from '../request/context.ts';
import { bypassesCache } from '../request/credentials.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { RestSession, type RestSessionOptions } from '../rest/session.ts';
import { OperationLoaders } from '../schema/fields/loaders.ts';
import type { GatewayState } from './gateway-state.ts';

/** What there is no room for, and after how many seconds to ask again. */
const FULL = {
  operations: ['Too many operations are under way', '1'],
  exports: ['Too many exports are under way', '10'],
  subscriptions: ['Too many subscriptions are open', '10'],
  uploads: ['Too many requests are arriving', '1', { connection: 'close' }],
} as const;

/** Refuses a request to protect the others; `detail` says of a caller that it has used up its own share. */
function shed(
  { observed }: GatewayContext,
  { telemetry }: GatewayState,
  reason: keyof typeof FULL,
  detail = '.',
): never {
  observed.isShed = true;
  telemetry.shed(reason);
  const [what, retryAfter, headers] = FULL[reason];
  throw overloaded(what + detail, retryAfter, headers);
}

/** Takes a place until the request ends, or until the function is called that it returns. Throws if there is none. */
export function takePlace(
  context: GatewayContext,
  state: GatewayState,
  kind: keyof GatewayState['places'],
): () => void {
  const places = state.places[kind];
  const release = places.admit(context.owner) ?? shed(context, state, kind, places.refusal(context.owner));
  context.endings.push(release);
  return release;
}

/** Counts what an operation holds in memory: its body, REST answers and streams. */
export function holdFor(context: GatewayContext, state: GatewayState): GatewayContext['holding'] {
  const onFull = () => {
    if (context.rest === undefined) shed(context, state, 'uploads');
    state.telemetry.shed('operation_memory');
    context.cancellation.abort('no room');
    context.size.stop(context.cancellation.error());
  };
  const holding = state.transfers.hold(context.owner, onFull, () => !context.isWriting);
  context.endings.push(holding.release);
  return holding;
}

/** Aborts an operation when its client leaves, and whatever is still under way when it ends. */
export function cancelWithClient(request: Request, context: GatewayContext): void {
  const { client, endings } = context;
  const cancellation = new Cancellation();
  const abort = () => cancellation.abort('closed');
  if (client) client.onLeft.push(abort);
  else request.signal.addEventListener('abort', abort);
  endings.push(() => {
    if (!client) request.signal.removeEventListener('abort', abort);
    abort();
  });
  context.cancellation = cancellation;
}

/** Gives an operation access to the REST service with its caller's credentials, and limits of time and memory. */
export function startSession(context: GatewayContext, state: GatewayState): void {
  const { cancellation, observed, endings, exported } = context;
  const { maxCalls, maxFirst, textOrder, maxValues } = state;
  if (exported) cancellation.abortAfter(state.exportTimeoutMs, 'EXPORT_TIMEOUT_MS');
  else cancellation.abortAfter(state.requestTimeoutMs, 'REQUEST_TIMEOUT_MS');
  // The operations of an array share the length of a response.
  const maxBytes = Math.floor(state.maxResponseBytes / (context.array?.entries.length ?? 1));
  context.size = new AnswerSize({ maxValues, maxBytes }, () => {
    if (!context.isWriting) cancellation.abort('closed');
  });
  context.maxFirst = maxFirst;
  context.textOrder = textOrder;
  const rest = createRest(state, context, context.holding.add, { maxCalls });
  context.rest = rest;
  context.loaders = new OperationLoaders(rest);
  endings.push(() => observed.addCalls(rest.calls, rest.waitedMs()));
}

/** Begins an operation of an array, with a place, limits and a line in the log of its own. */
export function startEntry(context: GatewayContext, state: GatewayState): void {
  const { headers, requestId, client, endings, cancellation: ofRequest } = context;
  const observed = state.telemetry.begin(headers, requestId);
  observed.isOperation = true;
  context.observed = observed;
  // It has no request of its own.
  endings.push(() => state.telemetry.end(observed, undefined, observed.line.status, client?.cutBy));
  const cancellation = new Cancellation();
  ofRequest.onAbort(() => cancellation.abort('closed'));
  context.cancellation = cancellation;
  context.holding = holdFor(context, state);
  context.releasePlace = takePlace(context, state, 'operations');
  startSession(context, state);
}

type CallOptions = Pick<RestSessionOptions, 'maxCalls' | 'storesLists'>;

/** The context of a part of an operation, which holds memory and makes calls of its own until it ends. */
export function startPart(state: GatewayState, context: GatewayContext, ofCalls: CallOptions) {
  let held = 0;
  const hold = (added: number) => {
    held += added;
    context.holding.add(added);
  };
  const rest = createRest(state, context, hold, ofCalls);
  return {
    context: { ...context, rest, loaders: new OperationLoaders(rest) },
    end() {
      hold(-held);
      context.observed.addCalls(rest.calls, rest.waitedMs());
    },
  };
}

function createRest(
  { rest }: GatewayState,
  { cancellation, headers, credentials, owner, observed }: GatewayContext,
  hold: (bytes: number) => void,
  { maxCalls, storesLists }: CallOptions,
): RestSession {
  // By its members: to spread several objects takes ten times as long.
  return new RestSession(rest, {
    credentials,
    owner,
    maxCalls,
    bypassCache: bypassesCache(headers['cache-control']),
    storesLists,
    cancellation,
    hold,
    tracer: observed.trace,
  });
}
