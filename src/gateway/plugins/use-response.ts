import type { ExecutionResult } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { inTurn } from '../../event-loop.ts';
import { JSON_TYPE } from '../../http/negotiation.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { arrayResponse, resultResponse } from '../../response/json-response.ts';
import { exportResponse, streamResponse } from '../../response/streamed-response.ts';
import type { CallLimit } from '../../rest/call-limit.ts';
import { serverTiming } from '../../telemetry/observation.ts';
import type { GatewayState } from '../gateway-state.ts';

/** To write a longer answer takes milliseconds, and many of them may be ready at once. */
const LONG_ANSWER_BYTES = 500_000;

/**
 * Writes the response: JSON in the negotiated media type, a stream of results, or a file of rows. In place of Yoga's
 * processors, which ignore the weights of `Accept`, and know neither `id:` of events nor Apollo's parts.
 */
export function useResponse({ telemetry, rest, callLimit }: GatewayState): GatewayPlugin {
  function respondByJson(result: ExecutionResult, context: GatewayContext, fetchAPI: FetchAPI) {
    const write = () => resultResponse(result, context, fetchAPI);
    // What is refused early has no size.
    return context.running?.size?.bytes > LONG_ANSWER_BYTES ? inTurn(write) : write();
  }

  /** Tells how much of the limit of its credential a caller has left (draft-ietf-httpapi-ratelimit-headers). */
  function setRateLimit(headers: Headers, context: GatewayContext, limit: CallLimit): void {
    // What is refused early makes no calls.
    if (!(context.rest ?? context.array)) return;
    const { bearer, basic } = context.running.credentials;
    const authorization = bearer ?? basic;
    if (authorization === undefined) return;
    const { hash } = rest.cache.credential(authorization);
    const { limit: most, remaining, windowSeconds, resetSeconds } = limit.standing(hash);
    headers.set('RateLimit-Policy', `"credential";q=${most};w=${windowSeconds}`);
    headers.set('RateLimit', `"credential";r=${remaining};t=${resetSeconds}`);
  }

  return {
    onResultProcess({ setResultProcessor, serverContext: context }) {
      const { exported, streamType, mediaType = JSON_TYPE } = context;
      setResultProcessor((result, fetchAPI) => {
        if (Array.isArray(result)) return arrayResponse(result, context, fetchAPI);
        if (exported) return exportResponse(result, context, fetchAPI);
        if (!(Symbol.asyncIterator in result)) return respondByJson(result, context, fetchAPI);
        // Only a plugin may answer by a stream who has not been asked for one.
        if (streamType === undefined) return respondByJson({}, context, fetchAPI);
        return streamResponse(result, streamType, context, telemetry);
      }, mediaType);
    },
    onResponse({ response, serverContext: context }) {
      const { observed, array, streamed, running } = context;
      response.headers.set('X-Request-Id', observed.line.requestId);
      if (observed.isOperation || array) response.headers.set('Server-Timing', serverTiming(observed));
      if (callLimit) setRateLimit(response.headers, context, callLimit);
      // A plugin has replaced the response, and does not read the stream itself.
      if (streamed && response.body !== streamed && !streamed.locked) running.cancellation.abort('closed');
    },
  };
}
