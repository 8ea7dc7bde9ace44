import type { ChangeFeeds } from '../changes/feeds.ts';
import type { Config } from '../config/index.ts';
import { AnswerSize } from '../execution/answer-size.ts';
import { PAGE_ROWS } from '../export/export-plan.ts';
import type { ByteCounter } from '../limits/byte-counter.ts';
import type { TextOrder } from '../lists/text.ts';
import { RestSession, type RestSessionOptions } from '../rest/session.ts';
import { OperationLoaders } from '../schema/fields/operation-loaders.ts';
import type { GatewayContext } from './context.ts';
import type { CostLimits } from './cost.ts';
import { bypassesCache } from './credentials.ts';

export interface SessionOptions extends CostLimits, Pick<Config, 'requestTimeoutMs' | 'exportTimeoutMs'> {
  /** What all sessions with the REST service share. */
  readonly rest: Pick<RestSessionOptions, 'client' | 'cache' | 'parameterNames' | 'refreshes' | 'callLimit'>;
  readonly memory: ByteCounter;
  /** Called when an operation is ended because there is no room for it. */
  readonly onFull: () => void;
  readonly textOrder: TextOrder;
  readonly maxValues: number;
  readonly maxResponseBytes: number;
  readonly feeds: ChangeFeeds;
}

/** Whose operation it is, and what is known of it. */
export type Caller = Pick<
  GatewayContext,
  'cancellation' | 'headers' | 'credentials' | 'owner' | 'observed' | 'client'
>;

/** The part of the context that belongs to an operation. */
export function createSession(
  options: SessionOptions,
  context: Caller & Pick<GatewayContext, 'array' | 'isWriting'>,
) {
  const { maxCalls, maxFirst, textOrder, maxValues } = options;
  const { cancellation, owner, array } = context;
  // The operations of an array share the length of a response.
  const maxBytes = Math.floor(options.maxResponseBytes / (array?.length ?? 1));
  const size = new AnswerSize({ maxValues, maxBytes }, () => {
    if (!context.isWriting) cancellation.abort('closed');
  });
  const hold = (added: number) => holding.add(added);
  const holding = options.memory.hold(
    owner,
    () => {
      options.onFull();
      cancellation.abort('no room');
      size.stop(cancellation.error());
    },
    () => !context.isWriting,
  );
  const rest = createRest(options, context, { hold, maxCalls });
  return { maxFirst, textOrder, size, holding, rest, loaders: new OperationLoaders() };
}

/** The same for one page of an export. A list that the gateway orders is one page, which only its memory limits. */
export function createPageSession(
  options: SessionOptions,
  context: Caller & Pick<GatewayContext, 'holding'>,
  rows: number,
) {
  const part = startPart(options, context, { storesLists: false });
  const maxBytes = options.maxResponseBytes * Math.max(1, rows / PAGE_ROWS);
  return {
    ...part,
    maxFirst: Math.max(options.maxFirst, rows),
    size: new AnswerSize({ maxValues: Number.POSITIVE_INFINITY, maxBytes }),
  };
}

/** An event is written in one go, to each of many streams. */
const MAX_EVENT_BYTES = 2_000_000;

/** The same for events of a stream that are told together, so that their lookups share batches. */
export function createEventSession(
  options: SessionOptions,
  context: Caller & Pick<GatewayContext, 'holding'>,
  events: number,
) {
  const part = startPart(options, context, { maxCalls: options.maxCalls * events });
  const maxBytes = Math.min(options.maxResponseBytes, MAX_EVENT_BYTES);
  // One that is too large is told as an error in its place, and the stream goes on.
  return { ...part, limits: { maxValues: options.maxValues, maxBytes } };
}

/** A part of an operation, which holds memory and makes calls of its own until it ends. */
function startPart(
  options: SessionOptions,
  context: Caller & Pick<GatewayContext, 'holding'>,
  ofCalls: Pick<RestSessionOptions, 'maxCalls' | 'storesLists'>,
) {
  let held = 0;
  const hold = (added: number) => {
    held += added;
    context.holding.add(added);
  };
  const rest = createRest(options, context, { hold, ...ofCalls });
  return {
    hold,
    rest,
    loaders: new OperationLoaders(),
    end() {
      hold(-held);
      context.observed.addCalls(rest.calls, rest.busy.total(performance.now()));
    },
  };
}

function createRest(
  { rest }: SessionOptions,
  { cancellation, headers, credentials, owner, observed }: Caller,
  ofOperation: Pick<RestSessionOptions, 'hold' | 'maxCalls' | 'storesLists'>,
): RestSession {
  const bypassCache = bypassesCache(headers['cache-control']);
  const call = { cancellation, credentials, owner, bypassCache, tracer: observed.trace };
  return new RestSession({ ...rest, ...call, ...ofOperation });
}
