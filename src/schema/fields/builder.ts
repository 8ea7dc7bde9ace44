import SchemaBuilder from '@pothos/core';
import { SCALAR_WORDS } from '../../hints.ts';
import { toUtcMoment } from '../../lists/values.ts';
import type { Context } from './context.ts';

/** GraphiQL shows this above the root types. */
export const DESCRIPTION = `\
Receivables and debtor management: debtors, declaration lines, deleted credit cases and payments, tasks and messages.

- Nearly everything belongs to an administration: fields take an \`administrationId\`, and \`viewer\` lists the
  administrations that your token reaches.
- Reads and writes need a Bearer token: \`Authorization: Bearer <access token>\`. \`companies\` and the token mutations
  need Basic credentials, the client id and secret of an application: \`Authorization: Basic ...\`, or
  \`X-Client-Authorization: Basic ...\` if you send a token too.
- Read lists with \`first\` and \`after\`. Any \`cursor\` of a page works as \`after\`.
- \`id\` is unique among all records, and \`internalId\` is the id of the REST service. Arguments accept either.
  \`node\` accepts the \`id\` of an administration, a debtor or a declaration line.
- Send the header \`X-Explain: true\` to see the REST calls behind a response.`;

/** Describes fields that the REST documentation only names. */
export const UNEXPLAINED = 'The REST service names it without explaining it.';

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    ID: { Input: string; Output: string };
    String: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    Amount: { Input: string; Output: string };
  };
}>({});

/** `postalAddress` becomes `POSTAL_ADDRESS`, and `DebtorChanged` becomes `DEBTOR_CHANGED`. */
export function toConstantCase(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, '_$&').toUpperCase();
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
  serialize: requireString,
  parseValue: utcDateTime,
});

builder.scalarType('Amount', {
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  description:
    'A decimal amount of money as text, exactly as the REST service wrote it. It is never a float.',
  serialize: requireString,
  parseValue: requireString,
});

function requireString(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`Expected ${SCALAR_WORDS.Amount}.`);
}

/** More than nanoseconds would only make URLs longer. */
const MAX_LENGTH = '2024-05-01T00:00:00.123456789'.length;

/** Converts to UTC and keeps all fractional digits. */
function utcDateTime(value: unknown): string {
  const moment = typeof value === 'string' ? toUtcMoment(value) : undefined;
  if (moment !== undefined && moment.length <= MAX_LENGTH) return `${moment}Z`;
  throw new TypeError(`Expected ${SCALAR_WORDS.DateTime}.`);
}
