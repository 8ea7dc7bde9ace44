import { type ExecutionResult, GraphQLError } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { ofStream, type PublicError, publicError, rootCauseOf } from '../execution/public-errors.ts';
import { errorAnswer, type RequestError } from '../http/errors.ts';
import type { GatewayContext } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { serverTiming } from '../telemetry/observation.ts';
import { madeResponse } from './streamed-response.ts';

/** The response to a request that is refused before Yoga handles it as an operation. */
export function errorResponse(
  error: RequestError,
  request: Request,
  { observed, requestId }: Pick<GatewayContext, 'observed' | 'requestId'>,
  fetchAPI: FetchAPI,
): Response {
  observed.addCode(error.code);
  const { status, headers, body } = errorAnswer(error, requestId, request.headers.get('accept') ?? '');
  const all = { ...headers, 'server-timing': serverTiming(observed) };
  return madeResponse({ pieces: [body], ownBytes: body.length }, { status, headers: all }, fetchAPI);
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
  const isEnd = context.takesStreamsOnly && !result.data;
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
