import type { Latin1 } from '../rest/latin1.ts';
import { fromLatin1, toLatin1 } from '../rest/latin1.ts';
import { builder } from './builder.ts';
import { encodeGlobalId, internalId } from './global-id.ts';
import { restMetadata } from './metadata.ts';
import { globalId, INTERNAL_ID, Node } from './node.ts';

/** Not a REST record: the service names administrations, but offers no endpoint that reads one. As Latin-1 all the same. */
export interface AdministrationRow {
  readonly id: Latin1;
  readonly name?: Latin1 | null;
}

export const Administration = builder.objectRef<AdministrationRow>('Administration');

builder.objectType(Administration, {
  description: 'A set of books. Each debtor and each of its records belongs to one.',
  interfaces: [Node],
  extensions: restMetadata({
    refetch: (_context, _administrationId, ids) =>
      new Map(ids.map((id) => [id, { __typename: 'Administration', id: toLatin1(id) }])),
  }),
  fields: (t) => ({
    id: t.id({
      ...globalId('Administration'),
      resolve: ({ id }) =>
        toLatin1(
          encodeGlobalId({ type: 'Administration', administration: fromLatin1(id), id: fromLatin1(id) }),
        ),
    }),
    internalId: t.exposeID('id', INTERNAL_ID),
    name: t.exposeString('name', {
      description: 'Name, known only where a token was introspected: below `viewer` and `introspectToken`.',
    }),
  }),
});

export const administrationArgument = builder.args((t) => ({
  administrationId: t.id({ required: true, description: 'The administration, by global or internal id.' }),
}));

builder.queryField('administration', (t) =>
  t.field({
    type: Administration,
    description:
      'The entrance to one administration. Costs no REST call by itself, so nothing says here whether it ' +
      'exists or may be read.',
    args: { id: t.arg.id({ required: true, description: 'Global or internal id.' }) },
    extensions: restMetadata({
      cost: ({ id }) => ({ reads: [], scope: { administration: readableId(id) } }),
    }),
    resolve: (_root, { id }) => ({ id: toLatin1(administrationId(id, 'id')) }),
  }),
);

/** The internal id of an administration, given by either. */
export function administrationId(given: string, argument = 'administrationId'): string {
  return internalId(given, 'Administration', argument);
}

/** The same before execution, when a bad id is not yet an error. */
export function readableId(given: unknown): string {
  try {
    return administrationId(String(given));
  } catch {
    return String(given);
  }
}
