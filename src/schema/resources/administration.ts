import { builder, recordRef } from '../fields/builder.ts';
import type { CostScope } from '../fields/estimate.ts';
import { GlobalIdEncoder, internalId } from '../fields/global-id.ts';
import type { LeastRead } from '../fields/least.ts';
import { computed, restMetadata } from '../fields/metadata.ts';
import { globalId, INTERNAL_ID, Node } from '../fields/node.ts';

/** Not a REST record, since the service has no endpoint that returns an administration. */
interface AdministrationRow {
  readonly id: string;
  readonly name?: string | null;
}

export const Administration = recordRef<AdministrationRow>('Administration');

const idEncoder = new GlobalIdEncoder('Administration');

builder.objectType(Administration, {
  description: 'The unit that data belongs to: a company owns one or more, and each debtor belongs to one.',
  interfaces: [Node],
  extensions: restMetadata({
    refetch: ({ rest: { text } }, _administrationId, ids) =>
      ids.map((id) => ({ __typename: 'Administration', id: text.encode(id) })),
  }),
  fields: (t) => ({
    id: t.id({
      ...globalId('Administration'),
      ...computed(({ id }, { rest: { text } }) => idEncoder.encode(text, id, id)),
    }),
    internalId: t.exposeID('id', INTERNAL_ID),
    name: t.exposeString('name', {
      description:
        'Name. It is known only where a token was introspected, below `viewer` and `introspectToken`; null elsewhere.',
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
      'The entry point to one administration. It costs no REST call, so it does not check whether the administration ' +
      'exists or may be read.',
    args: { id: t.arg.id({ required: true, description: 'Global or internal id.' }) },
    extensions: restMetadata({
      cost: ({ id }) => {
        const administration = administrationIdOrText(id);
        const certain = () => (isAdministrationId(id) ? [administration] : []);
        return { reads: [], scope: { administration, certain } };
      },
    }),
    resolve: (_root, { id }, { rest: { text } }) => ({ id: text.encode(administrationId(id, 'id')) }),
  }),
);

/** The internal id of an administration, from a global or an internal id. */
export function administrationId(id: string, argument = 'administrationId'): string {
  return internalId(id, 'Administration', argument);
}

/** The administration that a field reads from, for estimates: its own argument, or that of the field around it. */
export function estimatedAdministration(
  args: { readonly [name: string]: unknown },
  { administration }: Pick<CostScope, 'administration'>,
): string | undefined {
  return args.administrationId === undefined ? administration : administrationIdOrText(args.administrationId);
}

/** Far more than an operation may read from: to count them all would take as long as a large answer. */
const MOST_ADMINISTRATIONS = 1_000;

/**
 * The least calls of a field: those in each administration that it certainly reads from. What execution rejects before a
 * call has none.
 */
export function leastInEach(
  args: { readonly [name: string]: unknown },
  { certain }: Pick<CostScope, 'certain'>,
  least: (administration: unknown) => readonly LeastRead[],
): LeastRead[] {
  return certain.slice(0, MOST_ADMINISTRATIONS).flatMap((administration) => {
    try {
      return least(args.administrationId ?? administration);
    } catch {
      return [];
    }
  });
}

function isAdministrationId(id: unknown): boolean {
  try {
    return administrationId(String(id)) !== '';
  } catch {
    return false;
  }
}

/** For estimates: an invalid id, which is an error only during execution, is returned unchanged. */
function administrationIdOrText(id: unknown): string {
  try {
    return administrationId(String(id));
  } catch {
    return String(id);
  }
}
