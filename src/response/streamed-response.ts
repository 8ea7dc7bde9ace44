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
import { resultResponse, writeResult } from './json-response.ts';
import { logUnexpectedError, toPublicError } from './public-errors.ts';

/** A body that is made while it is sent. */
type BodyStream = AsyncGenerator<Buffer, void, undefined>;

/** Often enough for every proxy that closes idle connections: most do after 60 s, some after 30. */
const HEARTBEAT_MS = 12_000;

/**
 * A response whose body is made while it is sent, part by part, with a heartbeat while none comes. Of Node's own classes:
 * Yoga's stream ends a body that fails as if it were whole, and one that a server wraps in a response of Node's throws,
 * where nobody can catch it, if it is cancelled while it is waited for. What belongs to the request goes on until the
 * body has ended, or its client has left.
 */
function streamedResponse(
  parts: BodyStream,
  headers: Record<string, string>,
  exchange: Exchange,
  heartbeat?: () => string,
): Response {
  const { res, observation, cancellation } = exchange;
  const end = () => exchange.end();
  const stop = () => parts.return().then(end, end);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const send = (bytes: Buffer) => {
        observation.line.bytes += bytes.length;
        controller.enqueue(bytes);
      };
      const timer = setTimeout(() => {
        // Unless the last one was not read either, or nobody reads any more.
        const isAwaited = controller.desiredSize === 0 && !cancellation.isAborted;
        if (heartbeat && isAwaited) send(Buffer.from(heartbeat()));
        timer.refresh();
      }, HEARTBEAT_MS);
      try {
        const { value, done } = await parts.next();
        if (!done) return send(value);
        end();
        controller.close();
      } catch (error) {
        end();
        // Yoga pipes the body, and would neither close the connection nor handle the error.
        if (res) res.destroy();
        else controller.error(error);
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
  // After a timeout its reader still gets the error, as the last event.
  cancellation.onAbort(() => {
    if (cancellation.reason === 'closed' || !body.locked) void stop();
  });
  exchange.stream = body;
  const isCompressible = heartbeat === undefined;
  return exchange.makeResponse({ status: 200, headers, body, isCompressible }, { Response });
}

/** Writes results of a subscription as they come. One is taken when those before it have been sent. */
export function streamResponse(
  given: AsyncIterable<ExecutionResult>,
  type: StreamType,
  exchange: Exchange,
  operation: RunningOperation,
): Response {
  const { observation, cancellation } = operation;
  // It lasts as long as its client wants it to.
  cancellation.withoutDeadline();
  const results = given[Symbol.asyncIterator]();
  const end = async () => results.return?.();
  // As soon as the client has left, or the operation is aborted, whether or not anybody reads the response.
  cancellation.onAbort(() => {
    end().catch((error: unknown) => logUnexpectedError(error, exchange, observation));
  });
  const format = STREAM_FORMATS[type];
  /** Unknown of the events of a plugin. */
  const progress = () => (operation.ran?.kind === 'events' ? operation.ran.progress : undefined);
  /** It ends by its client unless something else ends it: it is complete, or an error does. */
  const told = Object.assign(observation.line, { stream: type, events: 0, endedBy: 'client' });

  function eventOf(result: ExecutionResult, isLast = false): Buffer {
    const cursor = progress()?.cursor;
    const { text, errors } = writeResult(result, exchange, operation, { isLast, cursor });
    if (result.data) {
      told.events += 1;
      exchange.shared.telemetry.streamEvent();
    }
    const ending = errors?.find(({ visible }) => visible.extensions?.ends === true);
    if (ending) told.endedBy = ending.code;
    return Buffer.from(format.result(text, cursor));
  }
  const lastEvent = (error: unknown) => eventOf({ data: null, errors: [asGraphQLError(error)] }, true);
  const heartbeat = () => format.heartbeat(progress()?.position);

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
    yield Buffer.from(format.end(progress()?.cursor));
  }

  const position = progress()?.position;
  // Where it begins, so that a client can go on from there if it breaks before its first event.
  const headers = { ...format.headers, ...(position && { 'last-event-id': position }) };
  return streamedResponse(body(), headers, exchange, heartbeat);
}

const CONTENT_TYPES: { readonly [format in ExportFormat]: string } = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const NOT_BY_PAGES = badRequest(
  'A plugin of this gateway answers this operation itself, so it cannot be exported: ask for JSON.',
);

/** Writes pages as CSV or NDJSON while they are read. What fails before there is a row is an ordinary error. */
export async function exportResponse(
  result: ExecutionResult | AsyncIterable<ExecutionResult>,
  request: ExportRequest,
  exchange: Exchange,
  fetchAPI: FetchAPI,
): Promise<Response> {
  const {
    observation,
    operations: [operation],
  } = exchange;
  const fail = (errors: readonly GraphQLError[]) => resultResponse({ errors }, exchange, operation, fetchAPI);
  if (!(Symbol.asyncIterator in result)) return fail(result.errors?.length ? result.errors : [NOT_BY_PAGES]);
  const pages = result[Symbol.asyncIterator]();
  const first = await pages.next();
  if (operation?.ran?.kind !== 'pages' || first.done) return fail([NOT_BY_PAGES]);
  const { plan } = operation.ran;
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
      observation.line.format = format;
      observation.line.exportedRows = rows;
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
