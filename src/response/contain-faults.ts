import { RequestError } from '../http/errors.ts';
import type { GatewayContext, GatewayPlugin } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { containHooks } from './contain-hooks.ts';
import { containInstruments } from './contain-instruments.ts';
import { errorResponse } from './errors.ts';

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

/** Answers errors of a user's plugin around requests as all others: Yoga would not catch them, or send their stack. */
export function containFaults(plugin: object, log: Log): object {
  const given: GatewayPlugin = plugin;
  const { onRequest, onResponse, instrumentation, onPluginInit } = given;
  const contained: GatewayPlugin = Object.create(plugin);
  if (onRequest) {
    contained.onRequest = async (payload) => {
      const { request, serverContext, fetchAPI, setRequestHandler, endResponse } = payload;
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
  if (instrumentation) contained.instrumentation = containInstruments(instrumentation, log);
  containHooks(given, contained, log);
  if (onPluginInit) {
    contained.onPluginInit = (payload) =>
      onPluginInit({ ...payload, addPlugin: (added) => payload.addPlugin(containFaults(added, log)) });
  }
  return contained;
}
