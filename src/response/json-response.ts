import { type ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI, GraphQLHTTPExtensions } from 'graphql-yoga';
import { asGraphQLError } from '../execution/execution-context.ts';
import { NO_STORE, VARY } from '../http/errors.ts';
import { JSON_TYPE, typeFor } from '../http/negotiation.ts';
import { STREAM_FORMATS } from '../http/stream-formats.ts';
import type { Exchange } from '../request/exchange.ts';
import type { RunningOperation } from '../request/operation.ts';
import type { CallRecord } from '../rest/call.ts';
import { isObject } from '../rest/json.ts';
import { serverTiming } from '../telemetry/observation.ts';
import { type PublicError, type StreamEnd, toPublicError } from './public-errors.ts';

interface Written {
  readonly text: string;
  readonly errors?: readonly PublicError[] | undefined;
  readonly status: number;
  readonly headers?: GraphQLHTTPExtensions['headers'] | undefined;
}

/** The result of an operation as JSON, or as the only event of a stream if its client takes nothing else. */
export function resultResponse(
  result: ExecutionResult,
  exchange: Exchange,
  operation: RunningOperation | undefined,
  fetchAPI: FetchAPI,
): Response {
  // Only a client that takes no JSON gets it as a stream.
  const { form } = exchange;
  const streamType = form.mediaType === undefined ? form.streamType : undefined;
  const written = writeResult(result, exchange, operation, streamType && { isLast: true });
  if (!streamType || REFUSALS.includes(written.status)) return jsonResponse(written, exchange, fetchAPI);
  const { headers, start, result: part, end } = STREAM_FORMATS[streamType];
  const text = start + part(written.text) + end();
  return jsonResponse({ text, status: 200, headers: { ...headers, ...written.headers } }, exchange, fetchAPI);
}

/** Statuses of what keeps a request from being an operation, or says that it may be sent again. */
const REFUSALS = [405, 406, 413, 415, 503];

/** The response to a request that is refused, or fails, outside of what Yoga handles as an operation. */
export function errorResponse(error: unknown, exchange: Exchange, fetchAPI: FetchAPI): Response {
  const response = resultResponse({ errors: [asGraphQLError(error)] }, exchange, undefined, fetchAPI);
  response.headers.set('server-timing', serverTiming(exchange.observation));
  return response;
}

/** The results of an array: what fails in one of them is an error in its place. */
export function arrayResponse(
  results: readonly ExecutionResult[],
  exchange: Exchange,
  fetchAPI: FetchAPI,
): Response {
  const all = results.map((result, index) => {
    const operation = exchange.operations[index];
    const written = writeResult(result, exchange, operation);
    const { line } = (operation ?? exchange).observation;
    line.bytes = Buffer.byteLength(written.text);
    // As if it had come alone.
    line.status = written.status;
    return written;
  });
  const statuses = all.map((one) => one.status);
  // What was refused as a whole may be sent again as a whole.
  const status = statuses.every((one) => one >= 500) ? Math.max(...statuses) : 200;
  const headers = status === 503 ? { 'retry-after': '1' } : {};
  return jsonResponse(
    { text: `[${all.map(({ text }) => text).join()}]`, status, headers },
    exchange,
    fetchAPI,
  );
}

/** Node writes a text in one go with its headers, and copies both for that: of a longer one, that takes more time. */
const MAX_TEXT_LENGTH = 8_000;

function jsonResponse({ text, status, headers }: Written, exchange: Exchange, fetchAPI: FetchAPI): Response {
  const body = text.length > MAX_TEXT_LENGTH ? Buffer.from(text) : text;
  const bytes = Buffer.byteLength(body);
  exchange.observation.line.bytes = bytes;
  const own: Record<string, string> = {
    'content-type': `${typeFor(status, exchange.form.mediaType)}; charset=utf-8`,
    // Given here, since a Response that has to find out makes a kilobyte of keys first.
    'content-length': `${bytes}`,
    'cache-control': NO_STORE,
    vary: VARY,
  };
  if (headers) Object.assign(own, headers);
  return exchange.makeResponse({ status, headers: own, body, isCompressible: true }, fetchAPI);
}

/** A plugin may end an operation with neither data nor errors, as where it aborts one. */
const NO_RESULT = new GraphQLError('', { originalError: new Error('neither data nor errors') });

/** Every error is converted, so that its client sees what it should and nothing else; `end`: of a stream. */
export function writeResult(
  given: ExecutionResult,
  exchange: Exchange,
  operation: RunningOperation | undefined,
  end?: StreamEnd,
): Written {
  const { observation } = operation ?? exchange;
  const { data, extensions, errors: found = [] } = given;
  const told = data === undefined && found.length === 0 ? [NO_RESULT] : found;
  const errors =
    told.length > 0
      ? told.map((one) => toPublicError(one, exchange, observation, data ? undefined : end))
      : undefined;
  const visible = errors?.map((error) => error.visible);
  const text = JSON.stringify({
    errors: visible,
    data,
    extensions: extensionsOf(given, exchange, operation),
  });
  // With data, even null, a mutation may have written: status and headers must not make clients retry. But a plugin may
  // give them, by Yoga's convention; then they may be anything.
  if (data !== undefined || errors === undefined)
    return { status: 200, ...(isObject(extensions?.http) && extensions.http), text, errors };
  const isSpec =
    exchange.form.mediaType === JSON_TYPE && errors.every(({ code }) => DOCUMENT_CODES.includes(code));
  return {
    text,
    errors,
    status: isSpec ? 200 : Math.max(...errors.map(({ status }) => status)),
    headers: Object.assign({}, ...errors.map(({ headers }) => headers)),
  };
}

/** Of a document that is unknown or not valid, for which clients of `application/json` expect status 200. */
const DOCUMENT_CODES = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'PERSISTED_QUERY_NOT_FOUND'];

/** What an operation has cost and, with `X-Explain: true`, the REST calls that it took; beside what plugins say. */
function extensionsOf(
  { extensions: given }: ExecutionResult,
  { headers }: Exchange,
  operation: RunningOperation | undefined,
): ExecutionResult['extensions'] {
  // Not what they say of the status and headers.
  const told = given && { ...given, http: undefined };
  if (operation?.ran?.kind !== 'once') return told;
  const { rest } = operation.reads;
  const { estimatedCalls } = operation.ran;
  const of = (source: CallRecord['source']) => rest.calls.filter((call) => call.source === source).length;
  const made = { calls: of('network'), cacheHits: of('cache'), coalesced: of('coalesced') };
  const cost = { estimatedCalls, ...(estimatedCalls !== undefined && { maxCalls: rest.maxCalls }), ...made };
  const extensions: ExecutionResult['extensions'] = { cost };
  if (headers['x-explain'] === 'true') extensions.explain = rest.calls.map(describeCall);
  return Object.assign(extensions, told);
}

/** Describes a REST call, with its outcome if it has one. `fields` is a JSON string; it is parsed to be readable. */
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
