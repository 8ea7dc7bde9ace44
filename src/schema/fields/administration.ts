import type { Row } from '../../rest/resource.ts';
import { builder } from './builder.ts';
import type { CostScope } from './estimate.ts';
import { GlobalIdEncoder, internalId } from './global-id.ts';
import type { LeastRead } from './least.ts';
import { computed, restMetadata } from './metadata.ts';
import { type FieldKinds, recordType, type TypeFields } from './record-type.ts';

const idEncoder = new GlobalIdEncoder('Administration');

/** The service has no endpoint that returns an administration, so that no more of it is known than its id. */
export const Administration = recordType('Administration', {
  description: 'The unit that data belongs to: a company owns one or more, and each debtor belongs to one.',
  refetch: ({ rest: { text } }, _administrationId, ids) =>
    ids.map((id) => ({ __typename: 'Administration', id: text.encode(id) })),
  fields: (t) => {
    const { id, internalId } = t.ids('Administration');
    return {
      id: { ...id, ...computed(({ id }: Row, { rest: { text } }) => idEncoder.encode(text, id, id)) },
      internalId,
      name: t.text(
        'Name. It is known only where a token was introspected, below `viewer` and `introspectToken`; null elsewhere.',
      ),
    };
  },
});

/** The fields of a record that belongs to an administration. */
export function administrationFields(t: FieldKinds): TypeFields {
  return {
    administrationId: t.required.id('Internal id of the administration it belongs to.'),
    administration: {
      type: Administration,
      description: 'The administration it belongs to. Costs no REST call.',
      ...computed(({ administration_id: id }: Row) => (id ? { id } : null), {
        restFields: ['administration_id'],
      }),
    },
  };
}

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
