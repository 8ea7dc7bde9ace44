import { type ExecutionResult, GraphQLError } from 'graphql';
import type { GatewayContext } from '../request/context.ts';
import { faultDetails } from '../telemetry/log.ts';
import { ofStream, type PublicError, publicError, rootCauseOf } from './public-errors.ts';

/** A plugin may end an operation with neither data nor errors, as where it aborts one. */
const NO_RESULT = new GraphQLError('', { originalError: new Error('neither data nor errors') });

/** What the client sees of the errors of a result, and what they mean for its stream; undefined if there are none. */
export function reportErrors(
  { data, errors = [] }: ExecutionResult,
  context: GatewayContext,
  stream?: { readonly ends: boolean },
): PublicError[] | undefined {
  if (errors.length === 0 && data !== undefined) return undefined;
  const told = (errors.length > 0 ? errors : [NO_RESULT]).map((error) => reportError(error, context));
  return stream ? told.map((error) => ofStream(error, stream)) : told;
}

export function reportError(error: GraphQLError, { requestId, observed, log }: GatewayContext): PublicError {
  const converted = publicError(error, requestId);
  const { code } = converted;
  observed.addCode(code);
  if (code === 'INTERNAL_SERVER_ERROR')
    log('error', 'unexpected error', { requestId, ...faultDetails(rootCauseOf(error)) });
  return converted;
}
