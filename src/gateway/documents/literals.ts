import { GraphQLError, isValueNode, print } from 'graphql';

/**
 * An error of GraphQL's validation without the literals of the document, which its messages quote: they may be secrets,
 * and as long as the document.
 */
export function withoutLiterals(error: GraphQLError): GraphQLError {
  const { nodes = [], extensions } = error;
  const literals = nodes.filter((node) => isValueNode(node)).map(print);
  const message = literals.reduce(withoutLiteral, error.message);
  return message === error.message ? error : new GraphQLError(message, { nodes, extensions });
}

function withoutLiteral(message: string, literal: string): string {
  const shown = message
    .replace(`: ${literal}`, '')
    .replace(`, found ${literal}`, '')
    .replace(`Value "${literal}"`, 'This value');
  return literal.length > MIN_SECRET_LENGTH && shown.includes(literal)
    ? 'A value is not of its type.'
    : shown;
}

/** A shorter literal may be a word of the message as well. */
const MIN_SECRET_LENGTH = 3;

/** The same of a syntax error, which quotes a token. */
export function withoutStringToken(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ (String|BlockString) ".*"/s, ' $1');
  if (message === error.message) return error;
  return new GraphQLError(message, { source: error.source, positions: error.positions });
}
