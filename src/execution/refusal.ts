import { GraphQLError } from 'graphql';

/** A document that would take long to validate or to run. */
export function tooExpensive(message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_TOO_EXPENSIVE', http: { status } } });
}
