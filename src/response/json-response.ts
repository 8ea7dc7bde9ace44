import { type ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI, GraphQLHTTPExtensions } from 'graphql-yoga';
import { asGraphQLError } from '../execution/execution-context.ts';
import { NO_STORE, VARY } from '../http/errors.ts';
import { JSON_TYPE, typeFor } from '../http/negotiation.ts';
import { STREAM_FORMATS } from '../http/stream-formats.ts';
import type { Exchange } from '../request/exchange.ts';
import type { RunningOperation } from '../request/operation.ts';
import type { CallRecord } from '../rest/call.ts';
import { serverTiming } from '../telemetry/observation.ts';
import { encodeUtf8 } from '../utf8.ts';
import { createResponse } from './create-response.ts';
import { type PublicError, type StreamPosition, toPublicError } from './public-errors.ts';

interface Written {
  readonly text: string;
  readonly errors?: readonly PublicError[] | undefined;
  readonly status: number;
  readonly headers?: GraphQLHTTPExtensions['headers'] | undefined;
}

/** Writes a result as JSON, or as the only event of a stream if the client accepts nothing else. */
export function resultResponse(
  result: ExecutionResult,
  exchange: Exchange,
  operation: RunningOperation | undefined,
  fetchAPI: FetchAPI,
): Response {
  const form = exchange.responseForm;
  const streamType = form.kind === 'stream' && form.mediaType === undefined ? form.streamType : undefined;
  const written = writeResult(result, exchange, operation, streamType && { isLast: true });
  if (!streamType || REJECTED_STATUSES.includes(written.status))
    return jsonResponse(written, exchange, fetchAPI);
  const { headers, start, result: formatResult, end } = STREAM_FORMATS[streamType];
  const text = start + formatResult(written.text) + end();
  return jsonResponse({ text, status: 200, headers: { ...headers, ...written.headers } }, exchange, fetchAPI);
}

/** These statuses are sent even to clients of streams: the request was wrong, or can be retried. */
const REJECTED_STATUSES = [405, 406, 413, 415, 503];

/** Writes an error that was thrown outside of an operation. */
export function errorResponse(error: unknown, exchange: Exchange, fetchAPI: FetchAPI): Response {
  const response = resultResponse({ errors: [asGraphQLError(error)] }, exchange, undefined, fetchAPI);
  response.headers.set('server-timing', serverTiming(exchange.observation));
  return response;
}

/** Writes the results of an array. */
export function arrayResponse(
  results: readonly ExecutionResult[],
  exchange: Exchange,
  fetchAPI: FetchAPI,
): Response {
  const entries = results.map((result, index) => {
    const operation = exchange.operations[index];
    const written = writeResult(result, exchange, operation);
    const { logEntry } = (operation ?? exchange).observation;
    logEntry.bytes = Buffer.byteLength(written.text);
    logEntry.status = written.status;
    return written;
  });
  const statuses = entries.map(({ status }) => status);
  // If all operations failed with a 5xx, clients may retry the whole array.
  const status = statuses.every((value) => value >= 500) ? Math.max(...statuses) : 200;
  const headers = status === 503 ? { 'retry-after': '1' } : {};
  const text = `[${entries.map((entry) => entry.text).join()}]`;
  return jsonResponse({ text, status, headers }, exchange, fetchAPI);
}

/** Node copies a string together with the headers. For a longer text, that takes longer than creating a Buffer. */
const MAX_TEXT_LENGTH = 8_000;

function jsonResponse({ text, status, headers }: Written, exchange: Exchange, fetchAPI: FetchAPI): Response {
  const body = text.length > MAX_TEXT_LENGTH ? encodeUtf8(text) : text;
  const bytes = Buffer.byteLength(body);
  exchange.observation.logEntry.bytes = bytes;
  const allHeaders: Record<string, string> = {
    'content-type': `${typeFor(status, exchange.responseForm.mediaType)}; charset=utf-8`,
    // A Response without this header would compute it, at the cost of a kilobyte of keys.
    'content-length': `${bytes}`,
    'cache-control': NO_STORE,
    vary: VARY,
  };
  if (headers) Object.assign(allHeaders, headers);
  return createResponse({ status, headers: allHeaders, body, isCompressible: true }, fetchAPI);
}

/** For a plugin that ends an operation with neither data nor errors, for example to abort it. */
const NO_RESULT = new GraphQLError('', { originalError: new Error('neither data nor errors') });

/** Writes a result as text, with the visible members of each error. */
export function writeResult(
  result: ExecutionResult,
  exchange: Exchange,
  operation: RunningOperation | undefined,
  streamPosition?: StreamPosition,
): Written {
  const { observation } = operation ?? exchange;
  const { data, extensions, errors: reported = [] } = result;
  const allErrors = data === undefined && reported.length === 0 ? [NO_RESULT] : reported;
  const convert = (error: GraphQLError) =>
    toPublicError(error, exchange, observation, data ? undefined : streamPosition);
  const errors = allErrors.length > 0 ? allErrors.map(convert) : undefined;
  const visible = errors?.map((error) => error.visible);
  const allExtensions = buildExtensions(result, exchange, operation);
  const text = JSON.stringify({ errors: visible, data, extensions: allExtensions });
  // With data, even null, a mutation may have taken effect: send 200, since clients retry after a 5xx. Plugins may set
  // status and headers, by Yoga's convention.
  if (data !== undefined || errors === undefined) {
    const { status = 200, headers }: GraphQLHTTPExtensions = Object(extensions?.http);
    return { text, errors, status, headers };
  }
  const isInvalidDocument =
    exchange.responseForm.mediaType === JSON_TYPE &&
    errors.every(({ code }) => DOCUMENT_CODES.includes(code));
  return {
    text,
    errors,
    status: isInvalidDocument ? 200 : Math.max(...errors.map(({ status }) => status)),
    headers: Object.assign({}, ...errors.map(({ headers }) => headers)),
  };
}

/** For these errors of the document, clients of `application/json` expect status 200. */
const DOCUMENT_CODES = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'PERSISTED_QUERY_NOT_FOUND'];

/** Returns the cost of an operation, with `X-Explain: true` its REST calls, and the extensions of plugins. */
function buildExtensions(
  { extensions }: ExecutionResult,
  { headers }: Exchange,
  operation: RunningOperation | undefined,
): ExecutionResult['extensions'] {
  // `http` contains status and headers, which are not for clients.
  const visible = extensions && { ...extensions, http: undefined };
  if (operation?.runMode.kind !== 'once') return visible;
  const { session } = operation.dataSource;
  const { estimatedCalls } = operation.runMode;
  const count = (source: CallRecord['source']) =>
    session.calls.filter((call) => call.source === source).length;
  const cost = {
    estimatedCalls,
    maxCalls: estimatedCalls === undefined ? undefined : session.maxCalls,
    calls: count('network'),
    cacheHits: count('cache'),
    coalesced: count('coalesced'),
  };
  const report: ExecutionResult['extensions'] = { cost };
  if (headers['x-explain'] === 'true') report.explain = session.calls.map(describeCall);
  return Object.assign(report, visible);
}

/** Describes a REST call and its outcome, if any. Parses `fields`, a JSON string, to make it readable. */
export function describeCall({
  call,
  startedAt: _,
  ...outcome
}: Pick<CallRecord, 'call'> & Partial<CallRecord>) {
  const { method, path } = call;
  const parameters = call.parameters();
  const { fields } = parameters;
  const displayed = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: displayed, ...outcome };
}
