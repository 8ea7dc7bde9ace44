import type { ExecutionResult } from 'graphql';
import { asGraphQLError } from '../execution/run.ts';
import type { StreamType } from '../http/negotiation.ts';
import { STREAM_FORMATS } from '../http/stream-formats.ts';
import type { GatewayContext } from '../request/context.ts';
import { faultDetails } from '../telemetry/log.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { writeResult } from './json-response.ts';
import { type BodyStream, streamedResponse } from './response-body.ts';

/** Writes results of a subscription as they come. One is taken when those before it have been sent. */
export function streamResponse(
  given: AsyncIterable<ExecutionResult>,
  type: StreamType,
  context: GatewayContext,
  telemetry: RequestTelemetry,
): Response {
  const { requestId, log } = context;
  const { cancellation } = context.running;
  // It lasts as long as its client wants it to.
  cancellation.withoutDeadline();
  const results = given[Symbol.asyncIterator]();
  const end = async () => results.return?.();
  // As soon as the client has left, or the operation is aborted, whether or not anybody reads the response.
  cancellation.onAbort(() => {
    end().catch((error: unknown) => log('error', 'unexpected error', { requestId, ...faultDetails(error) }));
  });
  const format = STREAM_FORMATS[type];
  /** It ends by its client unless something else ends it: it is complete, or an error does. */
  const told = Object.assign(context.observed.line, { stream: type, events: 0, endedBy: 'client' });

  function eventOf(result: ExecutionResult, isLast = false): Buffer {
    const cursor = context.stream?.cursor;
    const { text, errors } = writeResult(result, context, { isLast, cursor });
    if (result.data) {
      told.events += 1;
      telemetry.streamEvent();
    }
    const ending = errors?.find(({ visible }) => visible.extensions?.ends === true);
    if (ending) told.endedBy = ending.code;
    return Buffer.from(format.result(text, cursor));
  }
  const lastEvent = (error: unknown) => eventOf({ data: null, errors: [asGraphQLError(error)] }, true);
  const heartbeat = () => format.heartbeat(context.stream?.position);

  async function* body(): BodyStream {
    try {
      // Proxies and clients see at once that the stream has begun.
      yield Buffer.from(format.start + heartbeat());
      while (told.endedBy === 'client') {
        const { value, done } = await cancellation.limit(results.next());
        if (done) told.endedBy = 'complete';
        else yield eventOf(value);
      }
    } catch (error) {
      // Nobody reads on.
      if (cancellation.reason === 'closed') return;
      yield lastEvent(error);
    } finally {
      // Ends the results too.
      cancellation.abort('closed');
    }
    yield Buffer.from(format.end(context.stream?.cursor));
  }

  const { position } = context.stream ?? {};
  // Where it begins, so that a client can go on from there if it breaks before its first event.
  const headers = { ...format.headers, ...(position && { 'last-event-id': position }) };
  return streamedResponse(body(), headers, context, heartbeat);
}
