import SchemaBuilder from '@pothos/core';
import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql';
import { executionHints } from '../execution/hints.ts';
import { SCALAR_WORDS } from '../execution/input-words.ts';
import { utcMoment } from '../lists/moment.ts';
import type { Wire, WireText } from '../rest/wire-text.ts';
import type { Context } from './context.ts';

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    ID: { Input: string; Output: WireText };
    String: { Input: string; Output: WireText };
    DateTime: { Input: string; Output: WireText };
    Amount: { Input: string; Output: WireText };
  };
}>({});

/** An object type whose values come from the service; they are declared with ordinary strings. */
export function recordRef<Declared extends object>(name: string) {
  return builder.objectRef<Wire<Declared>>(name);
}

builder.queryType({
  description:
    'Reads. Each field says which credential it needs. A field that fails is null and has an error; the others still ' +
    'return data.',
});
builder.mutationType({
  description: 'Writes, and the token calls: as mutations, they never put a token into a URL.',
});

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description:
    'A moment in ISO 8601. In responses it is exactly as the REST service wrote it. As an argument it needs an ' +
    'offset (`Z` or `+02:00`), and the gateway sends it on in UTC.',
  extensions: executionHints({ isStringScalar: true }),
  serialize: requireString,
  parseValue: utcDateTime,
  parseLiteral: literalOf(utcDateTime),
});

builder.scalarType('Amount', {
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  description:
    'A decimal amount of money as text, exactly as the REST service wrote it. It is never a float.',
  extensions: executionHints({ isStringScalar: true }),
  serialize: requireString,
  parseValue: requireString,
  parseLiteral: literalOf(requireString),
});

function requireString(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new GraphQLError(`Expected ${SCALAR_WORDS.Amount}.`);
}

/** At most nanoseconds: clocks and databases are no more precise, and more digits would make URLs longer. */
const MAX_LENGTH = '2024-05-01T00:00:00.123456789'.length;

/** Converts to UTC with a `Z`; keeps all fractional digits. */
function utcDateTime(value: unknown): string {
  const moment = typeof value === 'string' ? utcMoment(value) : undefined;
  if (moment !== undefined && moment.length <= MAX_LENGTH) return `${moment}Z`;
  throw new GraphQLError(`Expected ${SCALAR_WORDS.DateTime}.`);
}

/** Reads a literal as graphql-js does by default; unlike there, its error says where the literal is. */
function literalOf(parse: (value: unknown) => string) {
  return (node: ValueNode, variables: Parameters<typeof valueFromASTUntyped>[1]): string => {
    try {
      return parse(valueFromASTUntyped(node, variables));
    } catch (error) {
      throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error;
    }
  };
}
