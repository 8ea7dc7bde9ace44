import type { IncomingHttpHeaders } from 'node:http';
import { requestIdOf } from '../../http/errors.ts';
import { Client, type GatewayContext, type GatewayPlugin } from '../../request/context.ts';
import { respondToFault } from '../../response/errors.ts';
import { faultDetails, type Log } from '../../telemetry/log.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

/**
 * Gives every request an id and an observation, and ends whatever others begin for it: Yoga does not call `onResponse`
 * once anything throws, and would send the stack of a fault.
 */
export function useRequest(log: Log, telemetry: RequestTelemetry): GatewayPlugin {
  const taken = new WeakSet<object>();
  return {
    onRequest({ request, serverContext: context, requestHandler, setRequestHandler, fetchAPI }) {
      if (context.client instanceof Client) context.headers = context.req?.headers ?? {};
      else {
        // Two requests with one context would be one caller.
        if (taken.has(context)) throw new Error('Hand over a server context of its own with each request.');
        taken.add(context);
        takeOver(context, request, telemetry);
      }
      // Kept here, since a plugin may change the context.
      const endings: (() => void)[] = [];
      context.endings = endings;
      setRequestHandler(async (handled, handlerContext) => {
        try {
          return await requestHandler(handled, handlerContext);
        } catch (error) {
          return respondToFault(error, context, fetchAPI, log);
        } finally {
          if (context.streaming) void context.streaming.then(() => endAll(endings, log));
          else endAll(endings, log);
        }
      });
    },
  };
}

/** The context of another server may have anything of its own under the names that the gateway uses. */
function takeOver(context: GatewayContext, request: Request, telemetry: RequestTelemetry): void {
  const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
  const requestId = requestIdOf(headers['x-request-id']);
  Object.assign(context, {
    headers,
    requestId,
    observed: telemetry.begin(headers, requestId),
    client: undefined,
    accepted: undefined,
    exported: undefined,
    array: undefined,
    executed: undefined,
    isWriting: false,
    exportPlan: undefined,
    stream: undefined,
    streaming: undefined,
  } satisfies Partial<GatewayContext>);
}

/** One that fails must not keep the others from ending. */
function endAll(endings: readonly (() => void)[], log: Log): void {
  for (const end of endings.toReversed()) {
    try {
      end();
    } catch (error) {
      log('error', 'unexpected error', faultDetails(error));
    }
  }
}
