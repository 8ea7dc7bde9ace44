import type { ExecutionResult } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { exportPaths } from '../../export/export-request.ts';
import { notAcceptable } from '../../http/errors.ts';
import { EVENT_STREAM, JSON_TYPE } from '../../http/negotiation.ts';
import type { CallLimit } from '../../limits/call-limit.ts';
import { inTurn } from '../../limits/turns.ts';
import { pathOf } from '../../pages/route.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { exportResponse } from '../../response/export-response.ts';
import { arrayResponse, resultResponse } from '../../response/json-response.ts';
import { streamResponse } from '../../response/stream-response.ts';
import type { Log } from '../../telemetry/log.ts';
import { serverTiming } from '../../telemetry/observation.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

/** To write a longer answer takes milliseconds, and many of them may be ready at once. */
const LONG_ANSWER_BYTES = 500_000;

const NO_STREAM_ACCEPTED = notAcceptable(
  `A plugin of this gateway answers by a stream: send \`Accept: ${EVENT_STREAM}\`.`,
);

type SingleResult = ExecutionResult | AsyncIterable<ExecutionResult>;

interface ResponseOptions {
  readonly log: Log;
  readonly telemetry: RequestTelemetry;
  readonly endpoint: string;
  readonly callLimit: CallLimit | undefined;
}

/**
 * Writes the response: JSON in the negotiated media type, a stream of results, or a file of rows. In place of Yoga's
 * processors, which ignore the weights of `Accept`, and know neither `id:` of events nor Apollo's parts.
 */
export function useResponse({ log, telemetry, endpoint, callLimit }: ResponseOptions): GatewayPlugin {
  const paths = exportPaths(endpoint);

  function respondByJson(result: ExecutionResult, context: GatewayContext, fetchAPI: FetchAPI) {
    const write = () => resultResponse(result, context, log, fetchAPI);
    // What is refused early has no session.
    return context.size?.bytes > LONG_ANSWER_BYTES ? inTurn(write) : write();
  }

  async function respondByRows(result: SingleResult, context: GatewayContext, fetchAPI: FetchAPI) {
    const response = await exportResponse(result, context, log);
    return 'status' in response ? response : respondByJson(response, context, fetchAPI);
  }

  return {
    onRequest({ request, serverContext, requestHandler, endResponse }) {
      if (paths[pathOf(request)] === undefined) return undefined;
      // Yoga knows one path, and would refuse this one in a hook that comes after all others.
      return Promise.resolve(requestHandler(request, serverContext)).then(endResponse);
    },
    onResultProcess({ setResultProcessor, serverContext: context }) {
      const { exported, accepted: { streamType, mediaType = JSON_TYPE } = {} } = context;
      setResultProcessor((result, fetchAPI) => {
        if (Array.isArray(result)) return arrayResponse(result, context, log, fetchAPI);
        if (exported) return respondByRows(result, context, fetchAPI);
        if (!(Symbol.asyncIterator in result)) return respondByJson(result, context, fetchAPI);
        if (streamType) return streamResponse(result, streamType, context, log, telemetry);
        return respondByJson({ errors: [NO_STREAM_ACCEPTED] }, context, fetchAPI);
      }, mediaType);
    },
    onResponse({ request, response, serverContext: context }) {
      const { requestId, observed, array } = context;
      response.headers.set('X-Request-Id', requestId);
      if (observed.isOperation || array) response.headers.set('Server-Timing', serverTiming(observed));
      if (callLimit) setRateLimit(response.headers, context, callLimit);
      endObservation(telemetry, request, response.status, context);
    },
  };
}

/** Tells how much of the limit of its credential a caller has left (draft-ietf-httpapi-ratelimit-headers). */
function setRateLimit(headers: Headers, { rest }: GatewayContext, callLimit: CallLimit): void {
  const { bearer, basic } = rest?.credentials ?? {};
  const authorization = bearer ?? basic;
  if (authorization === undefined) return;
  const standing = callLimit.standing(rest.cache.credential(authorization).hash);
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
  context: GatewayContext,
): void {
  const { client, observed, streaming, array = [] } = context;
  const line = () => ({ method: request.method, url: new URL(request.url).pathname });
  // Its client has left before the operation was answered.
  const cut = client?.isGone && { cutBy: client.cutBy ?? 'CLIENT_CLOSED_REQUEST' };
  for (const { context: entry, status: own = status } of array)
    if (entry) telemetry.end(line(), { status: own, ...cut }, entry.observed);
  if (client) return;
  const end = () => telemetry.end(line(), { status }, observed);
  if (streaming) void streaming.then(end);
  else end();
}
