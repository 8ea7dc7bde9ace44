import { AnswerSize } from '../execution/answer-size.ts';
import { overloaded } from '../http/errors.ts';
import type { GatewayContext } from '../request/context.ts';
import { bypassesCache } from '../request/credentials.ts';
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
export function shed(
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

type CallOptions = Pick<RestSessionOptions, 'maxCalls' | 'storesLists'>;

/** Gives an operation access to the REST service with its caller's credentials, and limits of time and memory. */
export function startSession(context: GatewayContext, state: GatewayState): void {
  const { cancellation, observed, endings, owner } = context;
  const { maxCalls, maxFirst, textOrder, maxValues } = state;
  if (context.exported) cancellation.abortAfter(state.exportTimeoutMs, 'EXPORT_TIMEOUT_MS');
  else cancellation.abortAfter(state.requestTimeoutMs, 'REQUEST_TIMEOUT_MS');
  // The operations of an array share the length of a response.
  const maxBytes = Math.floor(state.maxResponseBytes / (context.array?.length ?? 1));
  const size = new AnswerSize({ maxValues, maxBytes }, () => {
    if (!context.isWriting) cancellation.abort('closed');
  });
  const onFull = () => {
    state.telemetry.shed('operation_memory');
    cancellation.abort('no room');
    size.stop(cancellation.error());
  };
  const holding = state.transfers.hold(owner, onFull, () => !context.isWriting);
  const rest = createRest(state, context, holding.add, { maxCalls });
  context.maxFirst = maxFirst;
  context.textOrder = textOrder;
  context.size = size;
  context.holding = holding;
  context.rest = rest;
  context.loaders = new OperationLoaders(rest);
  endings.push(() => {
    holding.release();
    observed.addCalls(rest.calls, rest.waitedMs());
  });
}

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
