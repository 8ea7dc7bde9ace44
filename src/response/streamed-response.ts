import type { ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { asGraphQLError } from '../execution/execution-context.ts';
import type { ExportRequest } from '../export/export-request.ts';
import { pageRows, writeBody } from '../export/write-body.ts';
import { badRequest, NO_STORE, VARY } from '../http/errors.ts';
import type { ExportFormat, StreamType } from '../http/negotiation.ts';
import { STREAM_FORMATS } from '../http/stream-formats.ts';
import type { Exchange } from '../request/exchange.ts';
import type { RunningOperation } from '../request/operation.ts';
import { createResponse } from './create-response.ts';
import { resultResponse, writeResult } from './json-response.ts';
import { logUnexpectedError, toPublicError } from './public-errors.ts';

/** A body that is written while it is sent. */
type BodyStream = AsyncGenerator<Buffer, void, undefined>;

/** Most proxies close idle connections after 60 s, some after 30. */
const HEARTBEAT_MS = 12_000;

/**
 * Creates a response whose body is written while it is sent, with heartbeats in between. It uses Node's own classes:
 * Yoga's stream ends a body that fails as if it were complete, and throws an uncaught error if a server cancels it during
 * a read. The exchange ends with the body.
 */
function streamedResponse(
  chunks: BodyStream,
  headers: Record<string, string>,
  exchange: Exchange,
  heartbeat?: () => string,
): Response {
  const { host, observation, cancellation } = exchange;
  const end = () => exchange.end();
  const stop = () => chunks.return().then(end, end);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const send = (bytes: Buffer) => {
        observation.logEntry.bytes += bytes.length;
        controller.enqueue(bytes);
      };
      const timer = setTimeout(() => {
        // A heartbeat is useless while an earlier chunk has not been read.
        const isAwaited = controller.desiredSize === 0 && !cancellation.isAborted;
        if (heartbeat && isAwaited) send(Buffer.from(heartbeat()));
        timer.refresh();
      }, HEARTBEAT_MS);
      try {
        const { value, done } = await chunks.next();
        if (!done) return send(value);
        end();
        controller.close();
      } catch (error) {
        end();
        host.failBody(error, controller);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel() {
      cancellation.abort('closed');
      return stop();
    },
  };
  const body = new ReadableStream(source, { highWaterMark: 0 });
  // After a timeout, a reader still gets the error as the last event.
  cancellation.onAbort(() => {
    if (cancellation.reason === 'closed' || !body.locked) void stop();
  });
  exchange.stream = body;
  const isCompressible = heartbeat === undefined;
  return createResponse({ status: 200, headers, body, isCompressible }, { Response });
}

/** Writes the results of a subscription. Each is taken when the previous one has been sent. */
export function streamResponse(
  events: AsyncIterable<ExecutionResult>,
  type: StreamType,
  exchange: Exchange,
  operation: RunningOperation,
): Response {
  const { observation, cancellation } = operation;
  // The client decides how long the stream lasts.
  cancellation.withoutDeadline();
  const results = events[Symbol.asyncIterator]();
  const end = async () => results.return?.();
  // End the results at once, even if nobody reads the response.
  cancellation.onAbort(() => {
    end().catch((error: unknown) => logUnexpectedError(error, exchange, observation));
  });
  const format = STREAM_FORMATS[type];
  /** Undefined for events of a plugin. */
  const progress = () => (operation.runMode.kind === 'events' ? operation.runMode.progress : undefined);
  // A stream ends by its client, unless it completes or an error ends it.
  const logEntry = Object.assign(observation.logEntry, { stream: type, events: 0, endedBy: 'client' });

  function writeEvent(result: ExecutionResult, { isLast = false } = {}): Buffer {
    const cursor = progress()?.cursor;
    const { text, errors } = writeResult(result, exchange, operation, { isLast, cursor });
    if (result.data) {
      logEntry.events += 1;
      exchange.state.telemetry.onStreamEvent();
    }
    const ending = errors?.find(({ visible }) => visible.extensions?.ends === true);
    if (ending) logEntry.endedBy = ending.code;
    return Buffer.from(format.result(text, cursor));
  }
  const writeLastEvent = (error: unknown) =>
    writeEvent({ data: null, errors: [asGraphQLError(error)] }, { isLast: true });
  const heartbeat = () => format.heartbeat(progress()?.position);

  async function* body(): BodyStream {
    try {
      // A first chunk shows proxies and clients that the stream is open.
      yield Buffer.from(format.start + heartbeat());
      while (logEntry.endedBy === 'client') {
        const { value, done } = await cancellation.limit(results.next());
        if (done) logEntry.endedBy = 'complete';
        else yield writeEvent(value);
      }
    } catch (error) {
      // The client has disconnected.
      if (cancellation.reason === 'closed') return;
      yield writeLastEvent(error);
    } finally {
      // This also ends the results.
      cancellation.abort('closed');
    }
    yield Buffer.from(format.end(progress()?.cursor));
  }

  const position = progress()?.position;
  // A client can resume from here if the stream breaks before its first event.
  const headers = { ...format.headers, ...(position && { 'last-event-id': position }) };
  return streamedResponse(body(), headers, exchange, heartbeat);
}

const CONTENT_TYPES: { readonly [format in ExportFormat]: string } = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const NOT_PAGED = badRequest(
  'A plugin of this gateway returns the result of this operation, so it cannot be exported. Request JSON instead.',
);

/** Writes pages as CSV or NDJSON while they are read. An error before the first row is written as JSON. */
export async function exportResponse(
  result: ExecutionResult | AsyncIterable<ExecutionResult>,
  request: ExportRequest,
  exchange: Exchange,
  fetchAPI: FetchAPI,
): Promise<Response> {
  const { observation, operations } = exchange;
  const [operation] = operations;
  const fail = (errors: readonly GraphQLError[]) => resultResponse({ errors }, exchange, operation, fetchAPI);
  if (!(Symbol.asyncIterator in result)) return fail(result.errors?.length ? result.errors : [NOT_PAGED]);
  const pages = result[Symbol.asyncIterator]();
  const first = await pages.next();
  if (operation?.runMode.kind !== 'pages' || first.done) return fail([NOT_PAGED]);
  const { plan } = operation.runMode;
  const { rows, failure } = pageRows(plan, first.value);
  if (rows.length === 0 && failure) {
    await pages.return?.();
    return fail([failure.error]);
  }
  const { format } = request;
  const body = writeBody(first, pages, {
    plan,
    request,
    onRows(rows) {
      observation.logEntry.format = format;
      observation.logEntry.exportedRows = rows;
    },
    describe({ error, column }) {
      const { message, extensions } = toPublicError(error, exchange, observation).visible;
      return { message, ...extensions, ...(column !== undefined && { column }) };
    },
  });
  const headers = {
    'content-type': CONTENT_TYPES[format],
    'content-disposition': `attachment; filename="${plan.fileName}.${format}"`,
    'cache-control': NO_STORE,
    vary: VARY,
  };
  return streamedResponse(body, headers, exchange);
}
