import { type ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI, GraphQLHTTPExtensions } from 'graphql-yoga';
import { afterWrite, type Budget } from '../../execution/budget.ts';
import { asGraphQLError, type PublicError } from '../../execution/public-errors.ts';
import { writeJson } from '../../execution/stringify.ts';
import { NO_STORE, VARY } from '../../http/errors.ts';
import { JSON_TYPE, negotiate, typeFor } from '../../http/negotiation.ts';
import { type Bytes, lengthOf, type ResponseBody } from '../../http/response-body.ts';
import { isSliceOver, nextSlice } from '../../limits/time-slice.ts';
import { type GatewayContext, type GatewayPlugin, mapResults } from '../../request/context.ts';
import { TooManyEntries } from '../../request/params.ts';
import { reportSingle } from '../../response/errors.ts';
import { jsonBody, jsonBodyAround, withoutHttp } from '../../response/json-body.ts';
import { madeResponse, streamOfOne, streamTypeFor } from '../../response/streamed-response.ts';
import { isObject } from '../../rest/json.ts';
import type { TextCodec } from '../../rest/wire-text.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * Converts every error, and writes results as JSON in the negotiated media type, in place of Yoga's processor, which
 * ignores the weights of `Accept` and writes a large result in one go.
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
        if (Array.isArray(result)) return respondToArray(result, context, log, fetchAPI);
        const written = write(result, context, log);
        if (!(written instanceof Promise)) return respond(written, result, context, fetchAPI);
        return written.then((made) => respond(made, result, context, fetchAPI));
      }, context.mediaType);
    },
  };
}

/** A result as JSON, with the status and headers of its response. */
interface Written {
  readonly pieces: readonly Bytes[];
  readonly bytes: number;
  readonly status: number;
  readonly headers?: GraphQLHTTPExtensions['headers'];
}

function write(result: ExecutionResult, context: GatewayContext, log: Log): Written | Promise<Written> {
  const finish = (pieces: readonly Bytes[]): Written => {
    const bytes = lengthOf(pieces);
    context.observed.bytes = bytes;
    return { pieces, bytes, ...httpOf(result, context.publicErrors, mediaTypeOf(context)) };
  };
  /** For an operation whose response became too long, or that was aborted while it was written. */
  const stop = (error: unknown) => {
    if (!(error instanceof GraphQLError)) throw error;
    const stopped = context.budget.errorResult(error);
    context.publicErrors = reportSingle(stopped, context, log);
    const { data } = stopped;
    const { extensions } = result;
    return write({ ...(data !== undefined && { data }), ...(extensions && { extensions }) }, context, log);
  };
  try {
    const visible = withoutHttp(result);
    const json = context.executed?.json;
    const pieces = json ? jsonBodyAround(json, visible.extensions) : jsonBody(visible, context);
    return pieces instanceof Promise ? pieces.then(finish, stop) : finish(pieces);
  } catch (error) {
    return stop(error);
  }
}

function respond(
  written: Written,
  { data, errors, extensions }: ExecutionResult,
  context: GatewayContext,
  fetchAPI: FetchAPI,
): Response {
  const { pieces, bytes, status, headers } = written;
  const streamType = streamTypeFor(status, context);
  if (streamType)
    return streamOfOne(pieces, streamType, data === undefined ? {} : headers, context, fetchAPI);
  const { compressed: bodies } = context.executed ?? {};
  const [error] = errors ?? [];
  const answers = error instanceof TooManyEntries ? error.answers : undefined;
  return jsonResponse(
    answers === undefined ? written : { ...written, pieces: joined(Array(answers).fill(written)) },
    {
      // All of it, also of one that is cached: a slow reader keeps it for longer than the cache does.
      ownBytes: bytes,
      // Cached responses differ only in their extensions.
      compressed: bodies && { bodies, name: JSON.stringify(extensions) },
    },
    context,
    fetchAPI,
  );
}

/** One result after the other: what fails in one of them is an error in its place. */
async function respondToArray(
  results: readonly ExecutionResult[],
  context: GatewayContext,
  log: Log,
  fetchAPI: FetchAPI,
): Promise<Response> {
  const all: Written[] = [];
  let ownBytes = 0;
  for (const [index, result] of results.entries()) {
    if (isSliceOver()) await nextSlice(context.owner);
    const entry = context.array?.[index];
    const own = entry?.context ?? context;
    const written = await writeContained(result, own, log);
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

async function writeContained(result: ExecutionResult, context: GatewayContext, log: Log): Promise<Written> {
  try {
    return await write(result, context, log);
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
  body: Pick<ResponseBody, 'ownBytes' | 'compressed'>,
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

/**
 * The result of a mutation, within the length of a response: what is too long is left out root field by root field,
 * the longest first, each with an error. So what is short, such as a token that cannot be had again, is always told.
 */
export async function fitMutation(
  result: ExecutionResult,
  budget: Budget,
  { encoding }: TextCodec,
): Promise<ExecutionResult> {
  const { data } = result;
  if (!data) return result;
  const lengths: { readonly key: string; readonly bytes: number }[] = [];
  let length = 1;
  for (const [key, value] of Object.entries(data)) {
    let bytes = 0;
    // Each may have megabytes.
    for (const piece of writeJson(value)) {
      bytes += Buffer.byteLength(piece, encoding);
      if (isSliceOver()) await budget.nextSlice();
    }
    lengths.push({ key, bytes });
    length += Buffer.byteLength(JSON.stringify(key), encoding) + ':,'.length + bytes;
  }
  if (!budget.isTooLong(length)) return result;
  const fitted: Record<string, unknown> = { ...data };
  const errors = [...(result.errors ?? [])];
  for (const { key, bytes } of lengths.sort((left, right) => right.bytes - left.bytes)) {
    fitted[key] = null;
    length += 'null'.length - bytes;
    errors.push(afterWrite(budget.tooLongError(), [key]));
    if (!budget.isTooLong(length)) break;
  }
  return { ...result, data: fitted, errors };
}
