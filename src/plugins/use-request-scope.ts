import type { IncomingHttpHeaders } from 'node:http';
import { requestIdOf } from '../http/request-id.ts';
import type { Log } from '../telemetry/log.ts';
import { respondToFault } from './contain-faults.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';

/**
 * Gives a request its id, and ends what other plugins began for it, whatever happens: Yoga does not call `onResponse`
 * once anything throws, and would send the stack. It stands first, so that all others find its part of the context.
 */
export function useRequestScope(log: Log): GatewayPlugin {
  return {
    onRequest({ request, serverContext: context, requestHandler, setRequestHandler, fetchAPI }) {
      context.headers = headersOf(request, context);
      context.requestId ??= requestIdOf(context.headers['x-request-id']);
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

/** As Node has them. In another server, `req` may be its own kind of request. */
function headersOf({ headers }: Request, { req, client }: GatewayContext): IncomingHttpHeaders {
  return client && req ? req.headers : Object.fromEntries(headers);
}

function endAll({ endings }: GatewayContext): void {
  for (const end of endings.reverse()) end();
  endings.length = 0;
}
