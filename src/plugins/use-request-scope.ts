import type { IncomingHttpHeaders } from 'node:http';
import { requestIdOf } from '../http/request-id.ts';
import type { Log } from '../telemetry/log.ts';
import { respondToFault } from './contain-faults.ts';
import { type GatewayContext, type GatewayPlugin, GuardedRequest } from './context.ts';

/**
 * Gives a request its id, and ends what other plugins began for it, whatever happens: Yoga does not call `onResponse`
 * once anything throws, and would send the stack. It stands first, so that all others find its part of the context.
 */
export function useRequestScope(log: Log): GatewayPlugin {
  return {
    onRequest({ request, serverContext: context, requestHandler, setRequestHandler, fetchAPI }) {
      if (context instanceof GuardedRequest) context.headers = context.req.headers;
      else takeOver(context, request);
      context.endings = [];
      setRequestHandler(async (handled, handlerContext) => {
        try {
          return await requestHandler(handled, handlerContext);
        } catch (error) {
          return respondToFault(error, request, context, fetchAPI, log);
        } finally {
          endAll(context);
        }
      });
    },
    onResponse({ response, serverContext: { requestId } }) {
      if (requestId !== undefined) response.headers.set('X-Request-Id', requestId);
    },
  };
}

/** The context of another server may have anything of its own under the names that the gateway uses. */
function takeOver(context: GatewayContext, request: Request): void {
  const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
  Object.assign(context, {
    headers,
    requestId: requestIdOf(headers['x-request-id']),
    client: undefined,
    text: undefined,
    hasParams: false,
    executed: undefined,
    keepJson: undefined,
  });
}

function endAll({ endings }: GatewayContext): void {
  for (const end of endings.reverse()) end();
  endings.length = 0;
}
