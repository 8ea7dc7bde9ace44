import type { ExecutionResult } from 'graphql';
import { VARY } from '../http/errors.ts';
import type { StreamType } from '../http/negotiation.ts';
import { STREAM_FORMATS, streamHeaders } from '../http/stream-formats.ts';
import { Interruptible } from '../limits/interruptible.ts';
import type { GatewayContext } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import type { StreamObservation } from '../telemetry/observation.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { lastingUntil, streamedResponse } from './made-response.ts';
import { streamBody } from './stream-body.ts';

/** Writes results of a subscription as they come; Yoga's processors know neither `id:` nor Apollo's parts. */
export function streamResponse(
  given: AsyncIterable<ExecutionResult>,
  type: StreamType,
  context: GatewayContext,
  log: Log,
  telemetry: RequestTelemetry,
): Response {
  const { requestId, cancellation } = context;
  const results = new Interruptible(given[Symbol.asyncIterator](), (error) =>
    log('error', 'unexpected error', { requestId, ...faultDetails(error) }),
  );
  // As soon as the client has left, or the operation is aborted, whether or not anybody reads the response.
  cancellation.onAbort(() => results.leave());
  const observed: StreamObservation = { format: type, events: 0, endedBy: 'client' };
  context.observed.stream = observed;
  // It lasts as long as its client wants it to.
  cancellation.withoutDeadline();
  telemetry.streamBegan();
  const body = streamBody({
    results,
    format: STREAM_FORMATS[type],
    context,
    observed,
    onEvent: () => telemetry.streamEvent(),
    log,
  });
  const stream = lastingUntil(body, context);
  const headers = { ...streamHeaders(type), ...startOf(context), vary: VARY };
  return streamedResponse({ stream, isCompressible: false }, headers, context);
}

/** Longer ones were sent by the client itself, and headers have little room. */
const MAX_CURSOR_LENGTH = 2_000;

/** Where the stream begins, so that a client can go on from there if it breaks before its first event. */
function startOf({ stream }: GatewayContext): Record<string, string> {
  const cursor = stream?.position;
  return cursor !== undefined && cursor.length <= MAX_CURSOR_LENGTH ? { 'last-event-id': cursor } : {};
}
