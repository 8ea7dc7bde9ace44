import { GraphQLError } from 'graphql';
import { isLarge, stringifyLarge } from '../execution/stringify.ts';
import type { CacheSlot } from '../rest/cache/cache-table.ts';
import type { CallRecord } from '../rest/call-record.ts';
import type { TextCodec } from '../rest/wire-text.ts';
import { faultDetails } from '../telemetry/fault.ts';
import type { Log } from '../telemetry/log.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { OperationContext } from './context.ts';
import { RejectedDocument } from './documents/rejected-documents.ts';
import type { OperationResult } from './engine.ts';
import { formatError, isDocumentError, type PublicError, publicError, rootCauseOf } from './errors.ts';
import { explain } from './explain.ts';
import type { GatewayResponse } from './request.ts';
import { type CachedResponse, cacheResponse, isCacheable } from './response-cache.ts';

export interface ResponseOptions {
  readonly requestId: string;
  readonly log: Log;
  /** Of the REST service's text in the response. */
  readonly text: TextCodec;
  readonly observed?: Observation | undefined;
}

/** The response to an executed operation; cached if it came entirely from the REST cache. */
export function respondWith(
  result: OperationResult,
  context: OperationContext,
  slot: CacheSlot<CachedResponse> | undefined,
  options: ResponseOptions,
): GatewayResponse | Promise<GatewayResponse> {
  const { budget, rest, holding } = context;
  const { planned, estimatedCalls, data } = result;
  const extensions = { ...extensionsOf(context, estimatedCalls), ...result.extensions };
  const errors = result.errors?.map((error) => reportError(error, options));
  if (!data) return errorResponse(errors ?? [], options, { data, extensions });
  try {
    if (isLarge(planned.root, budget, holding.amount)) {
      return stringifyLarge(data, planned.root, budget).then(
        (chunks) => dataResponse(chunks, JSON.stringify(extensions), errors, options),
        (error) => respondWithStop(error, context, options, extensions),
      );
    }
    const json = JSON.stringify(data);
    budget.checkJsonLength(json.length);
    if (slot && isCacheable(result, rest)) cacheResponse(slot, json, estimatedCalls, rest);
    return dataResponse([json], JSON.stringify(extensions), errors, options);
  } catch (error) {
    return respondWithStop(error, context, options, extensions);
  }
}

/** The response to an operation whose response became too long, or was aborted while it was made. */
export function respondWithStop(
  error: unknown,
  { budget }: OperationContext,
  options: ResponseOptions,
  extensions?: unknown,
): GatewayResponse {
  if (!(error instanceof GraphQLError)) throw error;
  const stopped = budget.errorResult(error);
  const errors = (stopped.errors ?? []).map((stopError) => reportError(stopError, options));
  return errorResponse(errors, options, { ...stopped, extensions });
}

/** A cached response; its cost extension counts every call as a cache hit. */
export function respondFromCache(
  { data, calls, estimatedCalls, compressed: bodies }: CachedResponse,
  context: OperationContext,
  options: ResponseOptions,
): GatewayResponse {
  context.budget.checkJsonLength(data.length);
  context.rest.calls.push(...calls);
  if (options.observed) options.observed.isCachedResponse = true;
  const extensions = JSON.stringify(extensionsOf(context, estimatedCalls));
  const { status, isInvalidDocument, body } = dataResponse([data], extensions, undefined, options);
  // Without `explain`, the body differs only in the extensions, so those are the key of the compressed body.
  const compressed = context.explain ? undefined : { bodies, name: extensions };
  return { status, isInvalidDocument, body, compressed };
}

/** The response to a request that failed before execution. */
export function respondWithError(error: unknown, options: ResponseOptions): GatewayResponse {
  if (error instanceof RejectedDocument) {
    for (const { extensions } of error.errors) options.observed?.addCode(extensions.code);
    return errorResponse(error.errors, options);
  }
  const errors = error instanceof AggregateError ? error.errors : [error];
  return errorResponse(
    errors.map((item) => reportError(asGraphqlError(item), options)),
    options,
  );
}

/** What the client sees of an error. Its code is observed; the cause of an unexpected one is logged. */
export function reportError(error: GraphQLError, { requestId, log, observed }: ResponseOptions): PublicError {
  const visible = publicError(error);
  const { code } = visible.extensions;
  observed?.addCode(code);
  if (code === 'INTERNAL_SERVER_ERROR')
    log('error', 'unexpected error', { requestId, ...faultDetails(rootCauseOf(error)) });
  return visible;
}

function dataResponse(
  data: readonly string[],
  extensions: string,
  errors: readonly PublicError[] | undefined,
  options: ResponseOptions,
): GatewayResponse {
  const start = errors ? `{"errors":${JSON.stringify(format(errors, options))},"data":` : '{"data":';
  const end = `,"extensions":${extensions}}`;
  const [only = ''] = data;
  const body = data.length === 1 ? [start + only + end] : [start, ...data, end];
  return { status: 200, isInvalidDocument: false, body };
}

function errorResponse(
  errors: readonly PublicError[],
  options: ResponseOptions,
  { data, extensions }: { readonly data?: unknown; readonly extensions?: unknown } = {},
): GatewayResponse {
  // With data, even null, a mutation may have written: status and headers must not make clients retry.
  const hasRun = data !== undefined;
  return {
    status: hasRun ? 200 : Math.max(...errors.map(({ status }) => status)),
    isInvalidDocument: errors.every(isDocumentError),
    headers: hasRun ? {} : Object.assign({}, ...errors.map(({ headers }) => headers)),
    body: [options.text.jsonBytes({ errors: format(errors, options), data, extensions })],
  };
}

/** The errors stand beside text of the REST service. */
function format(errors: readonly PublicError[], { requestId, text }: ResponseOptions): unknown {
  return text.encodeJson(errors.map((error) => formatError(error, requestId)));
}

/** The cost of the operation, and its REST calls if the request has `X-Explain`. */
export function extensionsOf({ rest, explain: isExplained }: OperationContext, estimatedCalls: number) {
  const cost = costOf(rest.calls, estimatedCalls);
  return isExplained ? { cost, explain: explain(rest) } : { cost };
}

function costOf(calls: readonly CallRecord[], estimatedCalls: number) {
  const counts = { estimatedCalls, calls: 0, cacheHits: 0, coalesced: 0 };
  for (const { source } of calls) {
    if (source === 'network') counts.calls += 1;
    else if (source === 'cache') counts.cacheHits += 1;
    else counts.coalesced += 1;
  }
  return counts;
}

function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
