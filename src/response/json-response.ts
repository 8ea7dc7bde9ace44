import type { ExecutionResult } from 'graphql';
import type { FetchAPI, GraphQLHTTPExtensions } from 'graphql-yoga';
import { afterWrite } from '../execution/answer-size.ts';
import { asGraphQLError } from '../execution/run.ts';
import { NO_STORE, VARY } from '../http/errors.ts';
import { JSON_TYPE, type StreamType, typeFor } from '../http/negotiation.ts';
import { STREAM_FORMATS } from '../http/stream-formats.ts';
import type { GatewayContext } from '../request/context.ts';
import type { CallRecord } from '../rest/call.ts';
import { isObject } from '../rest/json.ts';
import { serverTiming } from '../telemetry/observation.ts';
import { type PublicError, reportErrors } from './public-errors.ts';
import { attachBody, bodyOfText } from './response-body.ts';

/** A result as JSON, with the status and headers of its response. */
interface Written {
  readonly json: string;
  readonly whole: string | Buffer<ArrayBuffer>;
  readonly status: number;
  readonly headers?: GraphQLHTTPExtensions['headers'] | undefined;
}

/** The result of an operation as JSON, or as the only event of a stream if its client takes nothing else. */
export function resultResponse(
  result: ExecutionResult,
  context: GatewayContext,
  fetchAPI: FetchAPI,
): Response {
  const written = write(result, context);
  const streamType = streamOf(context);
  if (!streamType || REFUSALS.includes(written.status)) return respond(written, context, fetchAPI);
  const { headers: ofStream, start, result: part, end } = STREAM_FORMATS[streamType];
  const whole = bodyOfText(start + part(written.json) + end());
  context.observed.line.bytes = Buffer.byteLength(whole);
  const headers = { ...ofStream, ...(result.data !== undefined && written.headers) };
  return attachBody(new fetchAPI.Response(whole, { headers }), { whole });
}

/** The stream that a client takes who takes nothing else. */
function streamOf({ mediaType, streamType }: GatewayContext): StreamType | undefined {
  return mediaType === undefined ? streamType : undefined;
}

/** Statuses of what keeps a request from being an operation, or says that it may be sent again. */
const REFUSALS = [405, 406, 413, 415, 503];

/** The response to a request that is refused, or fails, outside of what Yoga handles as an operation. */
export function errorResponse(error: unknown, context: GatewayContext, fetchAPI: FetchAPI): Response {
  // A plugin may have replaced what its cost is counted by.
  context.executed = undefined;
  const response = resultResponse({ errors: [asGraphQLError(error)] }, context, fetchAPI);
  response.headers.set('server-timing', serverTiming(context.observed));
  return response;
}

/** The results of an array: what fails in one of them is an error in its place. */
export function arrayResponse(
  results: readonly ExecutionResult[],
  context: GatewayContext,
  fetchAPI: FetchAPI,
): Response {
  const { array } = context;
  const all = results.map((result, index) => write(result, array?.contexts[index] ?? context));
  const statuses = all.map((one) => one.status);
  if (array) array.statuses = statuses;
  // What was refused as a whole may be sent again as a whole.
  const status = statuses.every((one) => one >= 500) ? Math.max(...statuses) : 200;
  const headers = status === 503 ? { 'retry-after': '1' } : {};
  const json = `[${all.map((one) => one.json).join()}]`;
  return respond({ json, whole: bodyOfText(json), status, headers }, context, fetchAPI);
}

function respond({ whole, status, headers }: Written, context: GatewayContext, fetchAPI: FetchAPI): Response {
  const own: Record<string, string> = {
    'content-type': `${typeFor(status, context.mediaType)}; charset=utf-8`,
    // Given here, since a Response that has to find out makes a kilobyte of keys first.
    'content-length': `${Buffer.byteLength(whole)}`,
    'cache-control': NO_STORE,
    vary: VARY,
  };
  if (headers) Object.assign(own, headers);
  const response = new fetchAPI.Response(whole, { status, headers: own });
  return attachBody(response, { whole, isCompressible: true });
}

/** Every error is converted, so that its client sees what it should and nothing else. */
function write(given: ExecutionResult, context: GatewayContext): Written {
  const errors = reportErrors(given, context, streamOf(context) && { isLast: true });
  const json = resultJson(given.data, extensionsOf(given, context), errors);
  const whole = bodyOfText(json);
  const bytes = Buffer.byteLength(whole);
  context.observed.line.bytes = bytes;
  const { size, isWriting } = context;
  // A plugin may give data before there is a session.
  const error = given.data ? size?.tooLong(bytes) : undefined;
  if (!error) {
    const { status, headers } = httpOf(given, errors, context.mediaType);
    return { json, whole, status, headers };
  }
  // Of a mutation the caller has to know that its writes were made.
  const failed = asGraphQLError(isWriting ? afterWrite(error) : error);
  return write({ errors: [failed], ...(isWriting && { data: null }) }, context);
}

/** What a plugin says of the status and headers is not sent. */
export function resultJson(
  data: ExecutionResult['data'],
  extensions: ExecutionResult['extensions'],
  errors: readonly PublicError[] | undefined,
): string {
  const told = extensions?.http === undefined ? extensions : { ...extensions, http: undefined };
  return JSON.stringify({ errors: errors?.map(({ visible }) => visible), data, extensions: told });
}

/** With data, even null, a mutation may have written: status and headers must not make clients retry. */
function httpOf(
  { data, extensions: { http } = {} }: ExecutionResult,
  errors: readonly PublicError[] | undefined,
  mediaType: string | undefined,
): Pick<Written, 'status' | 'headers'> {
  // Yoga's convention for the status and headers of a response: where a plugin has made it, it may be anything.
  if (data !== undefined || errors === undefined) return { status: 200, ...(isObject(http) && http) };
  const isSpec = mediaType === JSON_TYPE && errors.every(({ isOfDocument }) => isOfDocument);
  return {
    status: isSpec ? 200 : Math.max(...errors.map(({ status }) => status)),
    headers: Object.assign({}, ...errors.map(({ headers }) => headers)),
  };
}

/** More are not made, but a token may have thousands of administrations whose lists are cached. */
const MAX_EXPLAINED = 500;

/** What an operation has cost and, with `X-Explain: true`, the REST calls that it took; beside what plugins say. */
function extensionsOf(
  { extensions: given }: ExecutionResult,
  { executed, rest, headers }: GatewayContext,
): ExecutionResult['extensions'] {
  if (executed === undefined) return given;
  const { estimatedCalls } = executed;
  const of = (source: CallRecord['source']) => rest.calls.filter((call) => call.source === source).length;
  const cost = { estimatedCalls, calls: of('network'), cacheHits: of('cache'), coalesced: of('coalesced') };
  const extensions: ExecutionResult['extensions'] = { cost };
  if (headers['x-explain'] === 'true')
    extensions.explain = rest.calls.slice(0, MAX_EXPLAINED).map(describeCall);
  return given ? Object.assign(extensions, given) : extensions;
}

/** `fields` is a JSON string; it is parsed to be readable. */
function describeCall({ call, startedAt: _, ...outcome }: CallRecord) {
  const { method, path } = call;
  const parameters = call.parameters();
  const { fields } = parameters;
  const displayed = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: displayed, ...outcome };
}
