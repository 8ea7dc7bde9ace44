import type { ExecutionResult } from 'graphql';
import type { FetchAPI, GraphQLHTTPExtensions } from 'graphql-yoga';
import { afterWrite } from '../../execution/answer-size.ts';
import { asGraphQLError, type PublicError } from '../../execution/public-errors.ts';
import { NO_STORE, VARY } from '../../http/errors.ts';
import { JSON_TYPE, negotiate, typeFor } from '../../http/negotiation.ts';
import { type Bytes, lengthOf, type ResponseBody } from '../../http/response-body.ts';
import { inTurn } from '../../lists/turns.ts';
import { type GatewayContext, type GatewayPlugin, mapResults } from '../../request/context.ts';
import { TooManyEntries } from '../../request/params.ts';
import { reportSingle } from '../../response/errors.ts';
import { jsonBody, withoutHttp } from '../../response/json-body.ts';
import { madeResponse, streamOfOne, streamTypeFor } from '../../response/streamed-response.ts';
import { RestError } from '../../rest/errors.ts';
import { isObject } from '../../rest/json.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * Converts every error, and writes results as JSON in the negotiated media type, in place of Yoga's processor, which
 * ignores the weights of `Accept`.
 */
export function useJsonResponse(log: Log): GatewayPlugin {
  return {
    onResultProcess({ result, setResultProcessor, serverContext: context }) {
      if (Symbol.asyncIterator in result) return;
      mapResults(result, context, (one, own) => {
        const errors = reportSingle(one, own, log);
        if (errors) own.publicErrors = errors;
      });
      setResultProcessor((_result, fetchAPI) => {
        const process = () =>
          Array.isArray(result)
            ? respondToArray(result, context, log, fetchAPI)
            : respond(write(result, context, log), result, context, fetchAPI);
        // Many of them may be ready at once.
        const isLong = context.size !== undefined && context.size.bytes > LONG_ANSWER_BYTES;
        return isLong ? inTurn(process) : process();
      }, context.mediaType);
    },
  };
}

/** To write a longer answer takes milliseconds. */
const LONG_ANSWER_BYTES = 500_000;

/** A result as JSON, with the status and headers of its response. */
interface Written {
  readonly pieces: readonly Bytes[];
  readonly bytes: number;
  readonly status: number;
  readonly headers?: GraphQLHTTPExtensions['headers'];
}

function write(result: ExecutionResult, context: GatewayContext, log: Log): Written {
  try {
    const visible = withoutHttp(result);
    const pieces = [jsonBody(visible, context)];
    const bytes = lengthOf(pieces);
    context.observed.bytes = bytes;
    return { pieces, bytes, ...httpOf(result, context.publicErrors, mediaTypeOf(context)) };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    // It is too long. Of a mutation the caller has to know that its writes were made.
    const errors = [asGraphQLError(context.isWriting ? afterWrite(error) : error)];
    context.publicErrors = reportSingle({ errors, ...(context.isWriting && { data: null }) }, context, log);
    const { extensions } = result;
    return write(
      { ...(context.isWriting && { data: null }), ...(extensions && { extensions }) },
      context,
      log,
    );
  }
}

function respond(
  written: Written,
  { data, errors }: ExecutionResult,
  context: GatewayContext,
  fetchAPI: FetchAPI,
): Response {
  const { pieces, bytes, status, headers } = written;
  const streamType = streamTypeFor(status, context);
  if (streamType)
    return streamOfOne(pieces, streamType, data === undefined ? {} : headers, context, fetchAPI);
  const [error] = errors ?? [];
  const answers = error instanceof TooManyEntries ? error.answers : undefined;
  return jsonResponse(
    answers === undefined ? written : { ...written, pieces: joined(Array(answers).fill(written)) },
    { ownBytes: bytes },
    context,
    fetchAPI,
  );
}

/** One result after the other: what fails in one of them is an error in its place. */
function respondToArray(
  results: readonly ExecutionResult[],
  context: GatewayContext,
  log: Log,
  fetchAPI: FetchAPI,
): Response {
  const all: Written[] = [];
  let ownBytes = 0;
  for (const [index, result] of results.entries()) {
    const entry = context.array?.[index];
    const own = entry?.context ?? context;
    const written = writeContained(result, own, log);
    if (entry) entry.status = written.status;
    ownBytes += written.bytes;
    all.push(written);
  }
  const statuses = all.map((one) => one.status);
  // What was refused as a whole may be sent again as a whole.
  const status = statuses.every((one) => one >= 500) ? Math.max(...statuses) : 200;
  const headers = status === 503 ? { 'retry-after': '1' } : {};
  return jsonResponse({ pieces: joined(all), status, headers }, { ownBytes }, context, fetchAPI);
}

function writeContained(result: ExecutionResult, context: GatewayContext, log: Log): Written {
  try {
    return write(result, context, log);
  } catch (error) {
    context.publicErrors = reportSingle({ errors: [asGraphQLError(error)] }, context, log);
    return write({}, context, log);
  }
}

/** Shorter answers are copied into one buffer: one write is faster than many. */
const MAX_COPIED_BYTES = 16_000;

/** The JSON of an array. */
function joined(all: readonly Written[]): readonly Bytes[] {
  const pieces = all.flatMap((one, index) => [Buffer.from(index === 0 ? '[' : ','), ...one.pieces]);
  pieces.push(Buffer.from(']'));
  return lengthOf(pieces) > MAX_COPIED_BYTES ? pieces : [Buffer.concat(pieces)];
}

function jsonResponse(
  { pieces, status, headers }: Pick<Written, 'pieces' | 'status' | 'headers'>,
  body: Pick<ResponseBody, 'ownBytes'>,
  context: GatewayContext,
  fetchAPI: FetchAPI,
): Response {
  const own = {
    'content-type': `${typeFor(status, mediaTypeOf(context))}; charset=utf-8`,
    // Given here, since a Response that has to find out makes a kilobyte of keys first.
    'content-length': `${lengthOf(pieces)}`,
    'cache-control': NO_STORE,
    vary: VARY,
  };
  const all = headers ? { ...own, ...headers } : own;
  return madeResponse({ ...body, pieces, isCompressible: true }, { status, headers: all }, fetchAPI);
}

/** What is refused early has not been negotiated yet. */
function mediaTypeOf({ mediaType, headers }: GatewayContext): string | undefined {
  return mediaType ?? negotiate(headers.accept);
}

/** With data, even null, a mutation may have written: status and headers must not make clients retry. */
function httpOf(
  { data, extensions }: ExecutionResult,
  errors: readonly PublicError[] | undefined,
  mediaType: string | undefined,
) {
  if (data !== undefined || errors === undefined) return { status: 200, ...httpExtension(extensions) };
  const isSpec = mediaType === JSON_TYPE && errors.every(({ isOfDocument }) => isOfDocument);
  return {
    status: isSpec ? 200 : Math.max(...errors.map(({ status }) => status)),
    headers: Object.assign({}, ...errors.map(({ headers }) => headers)),
  };
}

/** Yoga's convention for the status and headers of a response: where a plugin has made it, it may be anything. */
function httpExtension(extensions: { readonly [name: string]: unknown } | undefined): GraphQLHTTPExtensions {
  const { http } = extensions ?? {};
  return isObject(http) ? http : {};
}
