import type { FetchAPI } from 'graphql-yoga';
import { RequestError } from '../http/errors.ts';
import type { GatewayContext, GatewayPlugin } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { errorResponse } from './errors.ts';

const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** The response to a fault, whose details are only logged. */
export function respondToFault(
  error: unknown,
  request: Request,
  context: GatewayContext,
  fetchAPI: FetchAPI,
  log: Log,
): Response {
  log('error', 'unexpected error', { requestId: context.requestId, ...faultDetails(error) });
  return errorResponse(UNEXPECTED, request, context, fetchAPI);
}

/** A user's plugin, whose faults around a request are answered as all others: Yoga would send their stack. */
export function withoutStacks(plugin: object, log: Log): object {
  const { onRequest, onResponse }: GatewayPlugin = plugin;
  const contained: GatewayPlugin = Object.create(plugin);
  if (onRequest)
    contained.onRequest = async (payload) => {
      const { request, serverContext, fetchAPI, endResponse, setRequestHandler } = payload;
      const respond = (error: unknown) => respondToFault(error, request, serverContext, fetchAPI, log);
      try {
        await onRequest({
          ...payload,
          // It may wrap all that handles the request.
          setRequestHandler: (handle) =>
            setRequestHandler(async (...handled) => {
              try {
                return await handle(...handled);
              } catch (error) {
                return respond(error);
              }
            }),
        });
      } catch (error) {
        endResponse(respond(error));
      }
    };
  if (onResponse)
    contained.onResponse = async (payload) => {
      try {
        await onResponse(payload);
      } catch (error) {
        const { request, serverContext, fetchAPI, setResponse } = payload;
        setResponse(respondToFault(error, request, serverContext, fetchAPI, log));
      }
    };
  return contained;
}
