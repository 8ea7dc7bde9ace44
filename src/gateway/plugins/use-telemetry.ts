import type { GatewayPlugin } from '../../request/context.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

/**
 * Observes requests for the log, the metrics and traces. The gateway's own server has begun already, and goes
 * on until the response has been sent; in another server, a request ends with its response or stream. So does each operation of an array.
 */
export function useTelemetry(telemetry: RequestTelemetry): GatewayPlugin {
  return {
    onRequest({ serverContext: context }) {
      if (context.client) return;
      context.observed = telemetry.begin(context.headers, context.requestId);
    },
    onResponse({ request, response, serverContext: context }) {
      const { client, observed, streaming, array = [] } = context;
      const line = () => ({ method: request.method, url: new URL(request.url).pathname });
      // Its client has left before the operation was answered.
      const cut = client?.isGone && {
        cutBy: client.cutBy === 'shutdown' ? 'CUT_AT_SHUTDOWN' : 'CLIENT_CLOSED_REQUEST',
      };
      for (const { context: entry, status = response.status } of array)
        if (entry) telemetry.end(line(), { status, ...cut }, entry.observed);
      if (client || observed === undefined) return;
      const end = () => telemetry.end(line(), { status: response.status }, observed);
      if (streaming) void streaming.then(end);
      else end();
    },
  };
}
