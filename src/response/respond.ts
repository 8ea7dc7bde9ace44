import type { ExecutionResult } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { runAfterYield } from '../event-loop.ts';
import type { Exchange } from '../request/exchange.ts';
import { getMainCache } from '../rest/call.ts';
import type { CallLimit } from '../rest/call-limit.ts';
import { serverTiming } from '../telemetry/observation.ts';
import { arrayResponse, resultResponse } from './json-response.ts';
import { exportResponse, streamResponse } from './streamed-response.ts';

/** Writing a longer result takes milliseconds, and many may be ready at once. */
const LONG_RESULT_BYTES = 500_000;

/** Writes JSON in the negotiated media type, a stream of results, or a file of rows. */
export function respond(
  result: ExecutionResult | AsyncIterable<ExecutionResult> | ExecutionResult[],
  exchange: Exchange,
  fetchAPI: FetchAPI,
): Response | Promise<Response> {
  const [operation] = exchange.operations;
  const form = exchange.responseForm;
  const respondWithJson = (result: ExecutionResult) => resultResponse(result, exchange, operation, fetchAPI);
  if (Array.isArray(result)) return arrayResponse(result, exchange, fetchAPI);
  if (form.kind === 'export' && !exchange.isEstimate)
    return exportResponse(result, form.request, exchange, fetchAPI);
  if (Symbol.asyncIterator in result)
    // In another form, only a plugin can have returned a stream.
    return operation && form.kind === 'stream'
      ? streamResponse(result, form.streamType, exchange, operation)
      : respondWithJson({});
  const isLong = operation !== undefined && operation.size.bytes > LONG_RESULT_BYTES;
  return isLong ? runAfterYield(() => respondWithJson(result)) : respondWithJson(result);
}

/** Adds headers to a response. Ends a stream that a plugin has replaced and does not read. */
export function completeResponse({ headers, body }: Response, exchange: Exchange): void {
  const { observation, responseForm, stream, state } = exchange;
  const { callLimit } = state.rest;
  headers.set('X-Request-Id', observation.logEntry.requestId);
  if (observation.isOperation || responseForm.kind === 'array')
    headers.set('Server-Timing', serverTiming(observation));
  // Earlier versions would execute the operation, so clients can check for this header.
  if (exchange.isEstimate) headers.set('X-Explain', 'estimate');
  if (callLimit) setRateLimit(headers, exchange, callLimit);
  if (stream && body !== stream && !stream.locked) exchange.cancellation.abort('closed');
}

/** Describes how many calls the caller has left (draft-ietf-httpapi-ratelimit-headers). */
function setRateLimit(headers: Headers, exchange: Exchange, callLimit: CallLimit): void {
  const { credentials, isAdmitted } = exchange.admission;
  const main = getMainCache(exchange.state.rest.cache, credentials);
  if (!isAdmitted || !main) return;
  const { limit, remaining, windowSeconds, resetSeconds } = callLimit.getQuota(main.hash);
  headers.set('RateLimit-Policy', `"credential";q=${limit};w=${windowSeconds}`);
  headers.set('RateLimit', `"credential";r=${remaining};t=${resetSeconds}`);
}
