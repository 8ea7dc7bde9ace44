import { type Client, type GatewayPlugin, GuardedRequest } from '../../request/context.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

/**
 * Observes requests for the log, the metrics and traces. The guard has begun already, and goes on until the response
 * has been sent; in another server, a request ends with its response, or with the stream that this is. So does an
 * operation of an array. It stands before all that tells something of the request.
 */
export function useTelemetry(telemetry: RequestTelemetry): GatewayPlugin {
  return {
    onRequest({ serverContext: context }) {
      if (context instanceof GuardedRequest) return;
      context.observed = telemetry.begin(context.headers, context.requestId);
      context.observed.isEntry = context.isEntry === true;
    },
    onResponse({ request, response, serverContext: context }) {
      const { client, observed, streaming } = context;
      if (context instanceof GuardedRequest || observed === undefined) return;
      const { method, url } = request;
      const sent = { status: response.status, ...(client?.isGone && { cutBy: cutBy(client) }) };
      const end = () => telemetry.end({ method, url: new URL(url).pathname }, sent, observed);
      if (streaming) void streaming.then(end);
      else end();
    },
  };
}

/** Of an operation of an array, whose client has left before it was answered. */
function cutBy({ isCut }: Client): string {
  return isCut ? 'CUT_AT_SHUTDOWN' : 'CLIENT_CLOSED_REQUEST';
}
