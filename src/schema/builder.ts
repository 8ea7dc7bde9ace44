import SchemaBuilder from '@pothos/core';
import { GraphQLError } from 'graphql';
import { executionHints } from '../execution/hints.ts';
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
    'Reads. Each field says which credential it takes. One that fails is null with its error, and all others answer.',
});
builder.mutationType({ description: 'Writes, and the token calls that must never travel in a URL.' });

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description:
    'A moment in ISO 8601. In answers it stands exactly as the REST service wrote it; as an argument it ' +
    'needs an offset (`Z` or `+02:00`) and is sent on in UTC.',
  extensions: executionHints({ isStringScalar: true }),
  serialize: requireString,
  parseValue: utcDateTime,
});

builder.scalarType('Amount', {
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  description: 'A decimal amount of money as text, exactly as the REST service wrote it: never a float.',
  extensions: executionHints({ isStringScalar: true }),
  serialize: requireString,
  parseValue: requireString,
});

function requireString(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new GraphQLError('Expected text.');
}

/** At most nanoseconds: clocks and databases are no more precise, and more digits would make URLs longer. */
const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Converts to UTC with a `Z`; keeps all fractional digits, of which Date would keep three. */
function utcDateTime(value: unknown): string {
  const [text, moment = '', fraction = '', offset = ''] =
    typeof value === 'string' ? (DATE_TIME.exec(value) ?? []) : [];
  const local = new Date(`${moment}Z`);
  const date = new Date(`${moment}${offset}`);
  // Date rolls 30 February over into March and prints years above 9999 with six digits: compare the round trip.
  if (
    text === undefined ||
    Number.isNaN(date.getTime()) ||
    !local.toISOString().startsWith(moment) ||
    !/^\d{4}-/.test(date.toISOString())
  ) {
    throw new GraphQLError(
      'DateTime takes ISO 8601 with an offset, such as 2024-05-01T00:00:00Z or 2024-05-01T02:00:00+02:00, and at ' +
        'most nine digits of a second.',
    );
  }
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}
