import { type ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { ofStream, type PublicError, publicError, rootCauseOf } from '../execution/public-errors.ts';
import { errorAnswer, RequestError } from '../http/errors.ts';
import type { GatewayContext, GatewayPlugin } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { serverTiming } from '../telemetry/observation.ts';
import { madeResponse } from './made-response.ts';

/** The response to a request that is refused before Yoga handles it as an operation. */
export function errorResponse(
  error: RequestError,
  { observed, requestId, headers: { accept = '' } }: GatewayContext,
  fetchAPI: FetchAPI,
): Response {
  observed.addCode(error.code);
  const { status, headers, body } = errorAnswer(error, requestId, accept);
  const all = { ...headers, 'server-timing': serverTiming(observed) };
  return madeResponse({ bytes: body, isOwn: true }, { status, headers: all }, fetchAPI);
}

const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** The response to a fault, whose details are only logged. */
export function respondToFault(
  error: unknown,
  context: GatewayContext,
  fetchAPI: FetchAPI,
  log: Log,
): Response {
  log('error', 'unexpected error', { requestId: context.requestId, ...faultDetails(error) });
  return errorResponse(UNEXPECTED, context, fetchAPI);
}

/** A user's plugin, whose faults around a request are answered as all others: Yoga would send their stack. */
export function withoutStacks(plugin: object, log: Log): object {
  const { onRequest, onResponse }: GatewayPlugin = plugin;
  const contained: GatewayPlugin = Object.create(plugin);
  if (onRequest)
    contained.onRequest = async (payload) => {
      const { serverContext, fetchAPI, endResponse, setRequestHandler } = payload;
      const respond = (error: unknown) => respondToFault(error, serverContext, fetchAPI, log);
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
      const { response, serverContext, fetchAPI } = payload;
      const setResponse = (other: Response) => {
        // Nobody reads a stream that another response stands in for, unless that reads it.
        const isUnread = other.body !== response.body && response.body?.locked !== true;
        if (serverContext.streaming && isUnread) serverContext.cancellation.abort('closed');
        payload.setResponse(other);
      };
      try {
        await onResponse({ ...payload, setResponse });
      } catch (error) {
        setResponse(respondToFault(error, serverContext, fetchAPI, log));
      }
    };
  return contained;
}

/** A plugin may end an operation with neither data nor errors, as where it aborts one. */
const NO_RESULT = new GraphQLError('', { originalError: new Error('neither data nor errors') });

/** What the client sees of the errors of a result; undefined if there are none. */
export function reportErrors(
  { data, errors = [] }: ExecutionResult,
  context: GatewayContext,
  log: Log,
): PublicError[] | undefined {
  if (errors.length === 0 && data !== undefined) return undefined;
  const told = errors.length > 0 ? errors : [NO_RESULT];
  return told.map((error) => reportError(error, context, log));
}

/** The same for a result that is the only one of its operation: in a stream, nothing comes after it. */
export function reportSingle(
  result: ExecutionResult,
  context: GatewayContext,
  log: Log,
): PublicError[] | undefined {
  const errors = reportErrors(result, context, log);
  const isEnd = context.accepted?.takesStreamsOnly && !result.data;
  return isEnd ? errors?.map((error) => ofStream(error, { ends: true })) : errors;
}

export function reportError(
  error: GraphQLError,
  { requestId, observed }: GatewayContext,
  log: Log,
): PublicError {
  const converted = publicError(error, requestId);
  const { code } = converted;
  observed.addCode(code);
  if (code === 'INTERNAL_SERVER_ERROR')
    log('error', 'unexpected error', { requestId, ...faultDetails(rootCauseOf(error)) });
  return converted;
}
