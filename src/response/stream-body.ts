import type { ExecutionResult } from 'graphql';
import { asGraphQLError, isFatal, ofStream, type PublicError } from '../execution/public-errors.ts';
import type { BodyStream } from '../http/response-body.ts';
import type { StreamFormat } from '../http/stream-formats.ts';
import { type Interruptible, SILENCE } from '../limits/interruptible.ts';
import type { GatewayContext } from '../request/context.ts';
import type { Log } from '../telemetry/log.ts';
import { type StreamObservation, safeCode } from '../telemetry/observation.ts';
import { reportErrors } from './errors.ts';
import { resultJson } from './json-response.ts';

/** Often enough for every proxy that closes idle connections: most do after 60 s, some after 30. */
const HEARTBEAT_MS = 12_000;

interface StreamBodyOptions {
  readonly results: Interruptible<ExecutionResult>;
  readonly format: StreamFormat;
  readonly context: GatewayContext;
  readonly observed: StreamObservation;
  readonly onEvent: () => void;
  readonly log: Log;
}

/** Writes results as they come. One is taken when those before it have been sent, so that a slow reader slows it down. */
export async function* streamBody(options: StreamBodyOptions): BodyStream {
  const { results, format, context, observed } = options;
  try {
    // Proxies and clients see at once that the stream has begun.
    yield sent(Buffer.from(format.start + format.heartbeat(context.stream?.position)), context);
    for (;;) {
      const item = await results.next(HEARTBEAT_MS);
      if (item === SILENCE) yield sent(Buffer.from(format.heartbeat(context.stream?.position)), context);
      else if (item.done) break;
      else yield sent(writeResult(item.value, options), context);
      if (observed.endedBy !== 'client') break;
    }
    const { reason } = context.cancellation;
    // Nobody reads on.
    if (reason === 'closed') return;
    if (observed.endedBy === 'client') {
      if (reason === undefined) observed.endedBy = 'complete';
      else yield sent(writeResult(failed(context.cancellation.error()), options, true), context);
    }
  } catch (error) {
    yield sent(writeResult(failed(error), options, true), context);
  } finally {
    results.leave();
  }
  yield sent(Buffer.from(format.end(context.stream?.cursor)), context);
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
  { format, context, observed, onEvent, log }: StreamBodyOptions,
  isLast = false,
): Buffer {
  const cursor = context.stream?.cursor;
  let errors = reportErrors(result, context, log);
  if (result.data) {
    observed.events += 1;
    onEvent();
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
