import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { type GatewayPlugin, GuardedRequest } from './context.ts';

/**
 * Observes requests for the log, the metrics and traces. The guard has begun already, and goes on until the response
 * has been sent; in another server, a request ends with its response, or with the stream that this is. It stands before all that tells something of the
 * request.
 */
export function useTelemetry(telemetry: RequestTelemetry): GatewayPlugin {
  return {
    onRequest({ serverContext: context }) {
      if (context instanceof GuardedRequest) return;
      context.observed = telemetry.begin(context.headers, context.requestId);
    },
    onResponse({ request, response, serverContext: { client, observed, streaming } }) {
      if (client || observed === undefined) return;
      const { method, url } = request;
      const end = () =>
        telemetry.end({ method, url: new URL(url).pathname }, { status: response.status }, observed);
      if (streaming) void streaming.then(end);
      else end();
    },
  };
}
