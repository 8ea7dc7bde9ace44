import { GraphQLError, isValueNode, print } from 'graphql';

/** Removes the document's literals from a validation error: they may be secrets, and as long as the document. */
export function withoutLiterals(error: GraphQLError): GraphQLError {
  const { nodes = [], extensions } = error;
  const literals = nodes.filter((node) => isValueNode(node)).map(print);
  const message = literals.reduce(withoutLiteral, error.message);
  return message === error.message ? error : new GraphQLError(message, { nodes, extensions });
}

function withoutLiteral(message: string, literal: string): string {
  const redacted = message
    .replace(`: ${literal}`, '')
    .replace(`, found ${literal}`, '')
    .replace(`Value "${literal}"`, 'This value');
  return literal.length > MIN_SECRET_LENGTH && redacted.includes(literal)
    ? 'A value is not of its type.'
    : redacted;
}

/** A shorter literal may also occur in the wording of the message. */
const MIN_SECRET_LENGTH = 3;

/** Removes the string token that a syntax error quotes. */
export function withoutStringToken(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ (String|BlockString) ".*"/s, ' $1');
  if (message === error.message) return error;
  return new GraphQLError(message, { source: error.source, positions: error.positions });
}
