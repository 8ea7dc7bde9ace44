import type { ExecutionResult } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { JSON_TYPE } from '../../http/negotiation.ts';
import type { CallLimit } from '../../limits/call-limit.ts';
import { inTurn } from '../../limits/turns.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { exportResponse } from '../../response/export-response.ts';
import { arrayResponse, errorResponse, resultResponse } from '../../response/json-response.ts';
import { streamResponse } from '../../response/stream-response.ts';
import { serverTiming } from '../../telemetry/observation.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';
import type { GatewayState } from '../gateway-state.ts';

/** To write a longer answer takes milliseconds, and many of them may be ready at once. */
const LONG_ANSWER_BYTES = 500_000;

/**
 * Writes the response: JSON in the negotiated media type, a stream of results, or a file of rows. In place of Yoga's
 * processors, which ignore the weights of `Accept`, and know neither `id:` of events nor Apollo's parts. Around all that
 * handles a request, it answers faults, whose stack Yoga would send, and ends whatever was begun for it: Yoga does not
 * call `onResponse` once anything throws.
 */
export function useResponse({ telemetry, filePaths, callLimit }: GatewayState): GatewayPlugin {
  function respondByJson(result: ExecutionResult, context: GatewayContext, fetchAPI: FetchAPI) {
    const write = () => resultResponse(result, context, fetchAPI);
    // What is refused early has no session.
    return context.size?.bytes > LONG_ANSWER_BYTES ? inTurn(write) : write();
  }

  return {
    onRequest({ request, serverContext, requestHandler, setRequestHandler, endResponse, fetchAPI }) {
      // Kept here, since a plugin may change the context.
      const { endings } = serverContext;
      const handle: typeof requestHandler = async (handled, context) => {
        try {
          return await requestHandler(handled, context);
        } catch (error) {
          return errorResponse(error, serverContext, fetchAPI);
        } finally {
          const { streamed } = serverContext;
          const endAll = () => {
            for (const end of endings.toReversed()) end();
          };
          if (streamed) void streamed.ended.then(endAll);
          else endAll();
        }
      };
      // Yoga knows one path, and would refuse another in a hook that comes after all others.
      if (filePaths[serverContext.path])
        return Promise.resolve(handle(request, serverContext)).then(endResponse);
      return setRequestHandler(handle);
    },
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
    onResponse({ request, response, serverContext: context }) {
      const { requestId, observed, array, streamed, cancellation } = context;
      response.headers.set('X-Request-Id', requestId);
      if (observed.isOperation || array) response.headers.set('Server-Timing', serverTiming(observed));
      if (callLimit) setRateLimit(response.headers, context, callLimit);
      // Nobody reads a stream that another response stands in for, unless that reads it.
      if (streamed && response.body !== streamed.body && !streamed.body?.locked) cancellation.abort('closed');
      endObservation(telemetry, request, response.status, context);
    },
  };
}

/** Tells how much of the limit of its credential a caller has left (draft-ietf-httpapi-ratelimit-headers). */
function setRateLimit(headers: Headers, { rest }: GatewayContext, callLimit: CallLimit): void {
  const { bearer, basic } = rest?.options.credentials ?? {};
  const authorization = bearer ?? basic;
  if (authorization === undefined) return;
  const standing = callLimit.standing(rest.service.cache.credential(authorization).hash);
  const { limit, remaining, windowSeconds, resetSeconds } = standing;
  headers.set('RateLimit-Policy', `"credential";q=${limit};w=${windowSeconds}`);
  headers.set('RateLimit', `"credential";r=${remaining};t=${resetSeconds}`);
}

/**
 * Tells telemetry of the end. The gateway's own server does so itself, when the response has been sent; in another
 * server, a request ends with its response or stream. So does each operation of an array.
 */
function endObservation(
  telemetry: RequestTelemetry,
  request: Request,
  status: number,
  { client, observed, streamed, array = [] }: GatewayContext,
): void {
  const line = () => ({ method: request.method, url: new URL(request.url).pathname });
  for (const { context: entry, status: own = status } of array)
    if (entry) telemetry.end(entry.observed, line(), own, client?.cutBy);
  if (client) return;
  const end = () => telemetry.end(observed, line(), status);
  if (streamed) void streamed.ended.then(end);
  else end();
}
