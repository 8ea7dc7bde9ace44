import { type ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI, GraphQLHTTPExtensions } from 'graphql-yoga';
import { afterWrite, type Budget } from '../../execution/budget.ts';
import type { PublicError } from '../../execution/public-errors.ts';
import { writeJson } from '../../execution/stringify.ts';
import { NO_STORE, VARY } from '../../http/errors.ts';
import { JSON_TYPE, negotiate, typeFor } from '../../http/negotiation.ts';
import { attachBody, type Bytes } from '../../http/response-body.ts';
import { isSliceOver } from '../../limits/time-slice.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { reportSingle } from '../../response/errors.ts';
import { jsonBody, jsonBodyAround, withoutHttp } from '../../response/json-body.ts';
import { streamOfOne, streamTypeFor, webStreamOf } from '../../response/streamed-response.ts';
import { isObject } from '../../rest/json.ts';
import type { TextCodec } from '../../rest/wire-text.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * Writes results as JSON in the negotiated media type, in place of Yoga's processor, which ignores the weights of
 * `Accept` and writes a large result in one go. It stands behind all that may change the result.
 */
export function useJsonResponse(log: Log): GatewayPlugin {
  /** For an operation whose response became too long, or that was aborted while it was written. */
  function stop(
    error: unknown,
    { extensions }: ExecutionResult,
    context: GatewayContext,
    fetchAPI: FetchAPI,
  ) {
    if (!(error instanceof GraphQLError)) throw error;
    const stopped = context.budget.errorResult(error);
    context.publicErrors = reportSingle(stopped, context, log);
    const { data } = stopped;
    return respond(
      { ...(data !== undefined && { data }), ...(extensions && { extensions }) },
      context,
      fetchAPI,
    );
  }

  return {
    onResultProcess({ result, setResultProcessor, serverContext: context }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      setResultProcessor((_result, fetchAPI) => {
        try {
          const response = respond(result, context, fetchAPI);
          if (!(response instanceof Promise)) return response;
          return response.catch((error: unknown) => stop(error, result, context, fetchAPI));
        } catch (error) {
          return stop(error, result, context, fetchAPI);
        }
      }, context.mediaType);
    },
  };
}

function respond(result: ExecutionResult, context: GatewayContext, fetchAPI: FetchAPI) {
  const visible = withoutHttp(result);
  const json = context.executed?.json;
  const pieces = json ? jsonBodyAround(json, visible.extensions) : jsonBody(visible, context);
  const finish = (written: Bytes[]) => toResponse(written, result, context, fetchAPI);
  return pieces instanceof Promise ? pieces.then(finish) : finish(pieces);
}

function toResponse(
  pieces: Bytes[],
  result: ExecutionResult,
  context: GatewayContext,
  { Response, ReadableStream }: FetchAPI,
): Response {
  const { observed, mediaType = negotiate(context.headers.accept) } = context;
  let bytes = 0;
  for (const piece of pieces) bytes += piece.length;
  observed.bytes = bytes;
  const { status, headers } = httpOf(result, context.publicErrors, mediaType);
  const streamType = streamTypeFor(status, context);
  if (streamType) {
    const own = result.data === undefined ? {} : headers;
    return streamOfOne(pieces, streamType, own, context, { Response, ReadableStream });
  }
  const [only] = pieces;
  const body = pieces.length === 1 ? only : webStreamOf(pieces, ReadableStream);
  const response = new Response(body, {
    status,
    headers: {
      'content-type': `${typeFor(status, mediaType)}; charset=utf-8`,
      'cache-control': NO_STORE,
      vary: VARY,
      ...headers,
    },
  });
  const { compressed: bodies, json } = context.executed ?? {};
  attachBody(response, {
    pieces,
    ownBytes: bytes - (json?.length ?? 0),
    isCompressible: true,
    // Cached responses differ only in their extensions.
    compressed: bodies && { bodies, name: JSON.stringify(result.extensions) },
  });
  return response;
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
