import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '../http/request-error.ts';
import { requestIdOf } from '../http/request-id.ts';
import { faultDetails } from '../telemetry/fault.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';
import { errorResponse } from './error-response.ts';

const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

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
          log('error', 'unexpected error', { requestId: context.requestId, ...faultDetails(error) });
          return errorResponse(UNEXPECTED, request, context, fetchAPI);
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

/** As Node has them; a server that is not Node's has only a Request. */
function headersOf({ headers }: Request, { req }: GatewayContext): IncomingHttpHeaders {
  return req?.headers ?? Object.fromEntries(headers);
}

function endAll({ endings }: GatewayContext): void {
  for (const end of endings.reverse()) end();
  endings.length = 0;
}
