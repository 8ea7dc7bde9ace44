import { RequestError } from '../http/request-error.ts';
import { faultDetails } from '../telemetry/fault.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';
import { errorResponse } from './error-response.ts';

const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** The response to a fault, whose details are only logged. */
export function respondToFault(
  error: unknown,
  request: Request,
  context: GatewayContext,
  fetchAPI: Parameters<typeof errorResponse>[3],
  log: Log,
): Response {
  log('error', 'unexpected error', { requestId: context.requestId, ...faultDetails(error) });
  return errorResponse(UNEXPECTED, request, context, fetchAPI);
}

/** The hooks whose errors Yoga does not catch. */
type AroundRequests = Pick<GatewayPlugin, 'onRequest' | 'onResponse'>;

/**
 * A plugin of a user, whose errors in `onRequest` and `onResponse` are answered as all others are: Yoga does not catch
 * them, and where it serves Node's requests it would send their stack.
 */
export function containFaults(plugin: object, log: Log): object {
  const { onRequest, onResponse }: AroundRequests = plugin;
  const contained: AroundRequests = Object.create(plugin);
  if (onRequest) {
    contained.onRequest = async (payload) => {
      try {
        await onRequest(payload);
      } catch (error) {
        const { request, serverContext, fetchAPI, endResponse } = payload;
        endResponse(respondToFault(error, request, serverContext, fetchAPI, log));
      }
    };
  }
  if (onResponse) {
    contained.onResponse = async (payload) => {
      try {
        await onResponse(payload);
      } catch (error) {
        const { request, serverContext, fetchAPI, setResponse } = payload;
        setResponse(respondToFault(error, request, serverContext, fetchAPI, log));
      }
    };
  }
  return contained;
}
