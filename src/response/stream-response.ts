import type { ExecutionResult } from 'graphql';
import { asGraphQLError, isFatal, ofStream, type PublicError } from '../execution/public-errors.ts';
import { VARY } from '../http/errors.ts';
import type { StreamType } from '../http/negotiation.ts';
import type { BodyStream } from '../http/response-body.ts';
import { STREAM_FORMATS, type StreamFormat, streamHeaders } from '../http/stream-formats.ts';
import type { GatewayContext } from '../request/context.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { type StreamObservation, safeCode } from '../telemetry/observation.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { reportErrors } from './errors.ts';
import { resultJson } from './json-response.ts';
import { lastingUntil, streamedResponse } from './made-response.ts';

/** Often enough for every proxy that closes idle connections: most do after 60 s, some after 30. */
const HEARTBEAT_MS = 12_000;

interface StreamOptions {
  readonly format: StreamFormat;
  readonly context: GatewayContext;
  readonly observed: StreamObservation;
  readonly telemetry: RequestTelemetry;
  readonly log: Log;
}

/** Writes results of a subscription as they come. */
export function streamResponse(
  given: AsyncIterable<ExecutionResult>,
  type: StreamType,
  context: GatewayContext,
  log: Log,
  telemetry: RequestTelemetry,
): Response {
  const { requestId, cancellation } = context;
  const observed: StreamObservation = { format: type, events: 0, endedBy: 'client' };
  context.observed.stream = observed;
  // It lasts as long as its client wants it to.
  cancellation.withoutDeadline();
  const results = given[Symbol.asyncIterator]();
  const end = async () => results.return?.();
  // As soon as the client has left, or the operation is aborted, whether or not anybody reads the response.
  cancellation.onAbort(() => {
    end().catch((error: unknown) => log('error', 'unexpected error', { requestId, ...faultDetails(error) }));
  });
  const body = streamBody(results, { format: STREAM_FORMATS[type], context, observed, telemetry, log });
  const headers = { ...streamHeaders(type), ...startOf(context), vary: VARY };
  return streamedResponse({ stream: lastingUntil(body, context), isCompressible: false }, headers, context);
}

/** Longer ones were sent by the client itself, and headers have little room. */
const MAX_CURSOR_LENGTH = 2_000;

/** Where the stream begins, so that a client can go on from there if it breaks before its first event. */
function startOf({ stream }: GatewayContext): Record<string, string> {
  const cursor = stream?.position;
  return cursor !== undefined && cursor.length <= MAX_CURSOR_LENGTH ? { 'last-event-id': cursor } : {};
}

/** One result is taken when those before it have been sent, so that a slow reader slows it down. */
async function* streamBody(results: AsyncIterator<ExecutionResult>, options: StreamOptions): BodyStream {
  const { format, context, observed } = options;
  const { cancellation } = context;
  const next = waiting(results, cancellation);
  try {
    // Proxies and clients see at once that the stream has begun.
    yield sent(Buffer.from(format.start + format.heartbeat(context.stream?.position)), context);
    while (observed.endedBy === 'client') {
      const item = await next(HEARTBEAT_MS);
      if (item === undefined) yield sent(Buffer.from(format.heartbeat(context.stream?.position)), context);
      else if (item.done) break;
      else yield sent(writeResult(item.value, options), context);
    }
    // Nobody reads on.
    if (cancellation.reason === 'closed') return;
    if (observed.endedBy === 'client') {
      if (cancellation.reason === undefined) observed.endedBy = 'complete';
      else yield sent(writeResult(failed(cancellation.error()), options, true), context);
    }
  } catch (error) {
    yield sent(writeResult(failed(error), options, true), context);
  } finally {
    // Ends the results too.
    cancellation.abort('closed');
  }
  yield sent(Buffer.from(format.end(context.stream?.cursor)), context);
}

/**
 * Waits for the next item up to so many milliseconds: undefined if it has not come by then, done once the operation is
 * aborted. Not by `Promise.race`: a promise that lasts for hours would keep a reaction for each time that it lost.
 */
function waiting<T>(iterator: AsyncIterator<T>, cancellation: Cancellation) {
  let pending: Promise<IteratorResult<T, unknown>> | undefined;
  let hasSettled = false;
  let wake = () => {};
  cancellation.onAbort(() => wake());
  return async (milliseconds: number): Promise<IteratorResult<T, unknown> | undefined> => {
    if (pending === undefined) {
      hasSettled = false;
      const settle = () => {
        hasSettled = true;
        wake();
      };
      const ask = async () => iterator.next();
      pending = ask();
      pending.then(settle, settle);
    }
    if (!hasSettled && !cancellation.isAborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    if (cancellation.isAborted) return { done: true, value: undefined };
    if (!hasSettled) return undefined;
    const item = pending;
    pending = undefined;
    return item;
  };
}

function failed(error: unknown): ExecutionResult {
  return { data: null, errors: [asGraphQLError(error)] };
}

function sent(bytes: Buffer, { observed }: GatewayContext): Buffer {
  observed.bytes += bytes.length;
  return bytes;
}

function writeResult(
  result: ExecutionResult,
  { format, context, observed, telemetry, log }: StreamOptions,
  isLast = false,
): Buffer {
  const cursor = context.stream?.cursor;
  let errors = reportErrors(result, context, log);
  if (result.data) {
    observed.events += 1;
    telemetry.streamEvent();
  } else {
    const ends = isLast || errors?.some(isFatal) === true;
    errors = errors?.map((error) => ofStream(error, { ends, cursor }));
  }
  observed.endedBy = endIn(errors) ?? observed.endedBy;
  const [before, after] = format.around(cursor);
  return Buffer.concat([Buffer.from(before), resultJson(result, errors), Buffer.from(after)]);
}

function endIn(errors: readonly PublicError[] | undefined): string | undefined {
  const end = errors?.find(({ visible }) => visible.extensions?.ends === true);
  return end && safeCode(end.code);
}
