import { type ExecutionResult, GraphQLError } from 'graphql';
import { faultDetails } from '../telemetry/fault.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';
import { ofStream, type PublicError, publicError, rootCauseOf } from './errors.ts';

/** A plugin may end an operation with neither data nor errors, as where it aborts one. */
const NO_RESULT = new GraphQLError('', { originalError: new Error('neither data nor errors') });

/**
 * Converts every error that is sent to a client, observes its code, and logs the cause of an unexpected one. It stands
 * behind the plugins of users, since their errors are converted too.
 */
export function usePublicErrors(log: Log): GatewayPlugin {
  return {
    onResultProcess({ result, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const errors = reportSingle(result, serverContext, log);
      if (errors) serverContext.publicErrors = errors;
    },
  };
}

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

/** What the client sees of an error. */
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
