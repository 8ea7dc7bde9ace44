import { GraphQLError, isValueNode, Kind, print } from 'graphql';

/** Removes the document's literals from a validation error: they may be secrets, and as long as the document. */
export function withoutLiterals(error: GraphQLError): GraphQLError {
  const { nodes = [], extensions } = error;
  // The name of a variable is no value.
  const literals = nodes.filter((node) => isValueNode(node) && node.kind !== Kind.VARIABLE).map(print);
  const message = literals.reduce(withoutLiteral, error.message);
  return message === error.message ? error : new GraphQLError(message, { nodes, extensions });
}

function withoutLiteral(message: string, literal: string): string {
  // What graphql-js suggests are names of the schema.
  const [told = '', ...suggestions] = message.split(SUGGESTION);
  const redacted = told
    .replace(`: ${literal}`, '')
    .replace(`, found ${literal}`, '')
    .replace(`Value "${literal}"`, 'This value');
  const isSecret = literal.length > MIN_SECRET_LENGTH && redacted.includes(literal);
  return [isSecret ? 'A value is not of its type.' : redacted, ...suggestions].join(SUGGESTION);
}

const SUGGESTION = ' Did you mean ';

/** A shorter literal may also occur in the wording of the message. */
const MIN_SECRET_LENGTH = 3;

/** Removes the string token that a syntax error quotes. */
export function withoutStringToken(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ (String|BlockString) ".*"/s, ' $1');
  if (message === error.message) return error;
  return new GraphQLError(message, { source: error.source, positions: error.positions });
}
