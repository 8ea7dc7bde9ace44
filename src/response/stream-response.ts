import type { ExecutionResult } from 'graphql';
import { asGraphQLError } from '../execution/run.ts';
import type { StreamType } from '../http/negotiation.ts';
import { STREAM_FORMATS } from '../http/stream-formats.ts';
import type { GatewayContext } from '../request/context.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { faultDetails } from '../telemetry/log.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { resultJson } from './json-response.ts';
import { reportErrors } from './public-errors.ts';
import { type BodyStream, streamedResponse } from './response-body.ts';

/** Often enough for every proxy that closes idle connections: most do after 60 s, some after 30. */
const HEARTBEAT_MS = 12_000;

/** Writes results of a subscription as they come. One is taken when those before it have been sent. */
export function streamResponse(
  given: AsyncIterable<ExecutionResult>,
  type: StreamType,
  context: GatewayContext,
  telemetry: RequestTelemetry,
): Response {
  const { requestId, cancellation, log } = context;
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

  function write(result: ExecutionResult, isLast = false): Buffer {
    const cursor = context.stream?.cursor;
    const errors = reportErrors(result, context, { isLast, cursor });
    if (result.data) {
      told.events += 1;
      telemetry.streamEvent();
    }
    const ending = errors?.find(({ visible }) => visible.extensions?.ends === true);
    if (ending) told.endedBy = ending.code;
    return Buffer.from(format.result(resultJson(result.data, result.extensions, errors), cursor));
  }
  const writeEnd = (error: unknown) => write({ data: null, errors: [asGraphQLError(error)] }, true);
  const heartbeat = () => format.heartbeat(context.stream?.position);

  async function* body(): BodyStream {
    try {
      // Proxies and clients see at once that the stream has begun.
      yield Buffer.from(format.start + heartbeat());
      for await (const result of withPauses(results, cancellation)) {
        yield result ? write(result) : Buffer.from(heartbeat());
        if (told.endedBy !== 'client') break;
      }
      // Nobody reads on.
      if (cancellation.reason === 'closed') return;
      if (told.endedBy === 'client') {
        if (cancellation.isAborted) yield writeEnd(cancellation.error());
        else told.endedBy = 'complete';
      }
    } catch (error) {
      yield writeEnd(error);
    } finally {
      // Ends the results too.
      cancellation.abort('closed');
    }
    yield Buffer.from(format.end(context.stream?.cursor));
  }

  const { position } = context.stream ?? {};
  // Where it begins, so that a client can go on from there if it breaks before its first event.
  const headers = { ...format.headers, ...(position && { 'last-event-id': position }) };
  return streamedResponse(body(), headers, false, context);
}

/**
 * The items as they come, and undefined whenever none has come for a while; ends once the operation is aborted. Not by
 * `Promise.race`: a promise that lasts for hours would keep a reaction for each time that it lost.
 */
async function* withPauses<Item>(items: AsyncIterator<Item>, cancellation: Cancellation) {
  while (true) {
    const waiting = new Cancellation();
    const goOn = () => waiting.abort('closed');
    const ask = async () => items.next();
    const next = ask().finally(goOn);
    next.catch(() => {});
    cancellation.onAbort(goOn);
    while (!waiting.isAborted) {
      await waiting.pause(HEARTBEAT_MS);
      if (!waiting.isAborted) yield undefined;
    }
    cancellation.offAbort(goOn);
    if (cancellation.isAborted) return;
    const item = await next;
    if (item.done) return;
    yield item.value;
  }
}
