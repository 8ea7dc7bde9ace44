import type { ExecutionResult } from 'graphql';
import { asGraphQLError } from '../../execution/public-errors.ts';
import { badRequest } from '../../http/errors.ts';
import type { ArrayEntry, GatewayContext, GatewayPlugin } from '../../request/context.ts';
import type { SessionOptions } from '../../request/rest-sessions.ts';
import { Cancellation } from '../../rest/cancellation.ts';
import { type PlaceOptions, takePlace } from './use-admission.ts';
import { startSession } from './use-rest-session.ts';

interface ArrayOptions extends PlaceOptions {
  readonly session: SessionOptions;
}

const NO_STREAMS = badRequest(
  'A plugin of this gateway answers this operation itself: send it alone, not in an array.',
);

/**
 * Gives each operation of an array a place, a session and a line in the log. Yoga runs them at the same time,
 * each with a context that inherits from that of the request, and what one of them throws is an error in its place.
 */
export function useOperationArrays(options: ArrayOptions): GatewayPlugin {
  return {
    onParams({ params, context, paramsHandler, setParamsHandler }) {
      const entry = context.array?.find((one) => one.params === params);
      if (entry === undefined) return undefined;
      setParamsHandler(async (payload) => waiting(await paramsHandler(payload), context));
      return begin(entry, context, options);
    },
  };
}

/** An operation that has ended, and waits for the others of its array: one that has to make room is an error in its place. */
function waiting(result: ExecutionResult | AsyncIterable<ExecutionResult>, context: GatewayContext) {
  if (Symbol.asyncIterator in result) throw NO_STREAMS;
  const { cancellation, releasePlace } = context;
  releasePlace?.();
  cancellation.withoutDeadline();
  const kept: ExecutionResult = { ...result };
  cancellation.onAbort(() => {
    if (cancellation.reason === 'closed' || cancellation.reason === 'timeout') return;
    kept.errors = [asGraphQLError(cancellation.error())];
    delete kept.data;
    delete context.executed;
  });
  return kept;
}

function begin(entry: ArrayEntry, context: GatewayContext, { session, ...places }: ArrayOptions): void {
  const { array, headers, requestId, cancellation: ofRequest } = context;
  const observed = places.telemetry.begin(headers, requestId);
  observed.isOperation = true;
  observed.isEntry = true;
  entry.context = context;
  const cancellation = new Cancellation();
  Object.assign(context, { observed, cancellation });
  // The first has the place of the request.
  if (entry !== array?.[0]) takePlace(context, places);
  // Each has a deadline of its own.
  ofRequest.withoutDeadline();
  ofRequest.onAbort(() => cancellation.abort('closed'));
  startSession(context, session);
  if (entry.refusal) throw entry.refusal;
}
