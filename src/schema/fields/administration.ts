import type { Arguments } from '../../execution/arguments.ts';
import type { Row } from '../../rest/resource.ts';
import { builder } from './builder.ts';
import { type CostScope, ifValid } from './estimate.ts';
import { globalIdEncoder, internalId } from './global-id.ts';
import { computed, restMetadata } from './metadata.ts';
import { type FieldKinds, recordType, type TypeFields } from './record-type.ts';

const encodeId = globalIdEncoder('Administration');

/** The service has no endpoint that returns an administration, so that no more of it is known than its id. */
export const Administration = recordType('Administration', {
  description: 'The unit that data belongs to: a company owns one or more, and each debtor belongs to one.',
  refetch: ({ rest: { text } }, _administrationId, ids) => ids.map((id) => ({ id: text.encode(id) })),
  fields: (t) => {
    const { id, internalId } = t.ids('Administration');
    return {
      id: { ...id, ...computed(({ id }: Row, { rest: { text } }) => encodeId(text, id, id)) },
      internalId,
      name: t.text(
        'Name. It is known only where a token was introspected, below `viewer` and `introspectToken`; null elsewhere.',
      ),
    };
  },
});

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
        return { reads: [], scope: { administration, certain: () => [administration] } };
      },
    }),
    resolve: (_root, { id }, { rest: { text } }) => ({ id: text.encode(administrationId(id, 'id')) }),
  }),
);

/** The internal id of an administration, from a global or an internal id. */
export function administrationId(id: string, argument = 'administrationId'): string {
  return internalId(id, 'Administration', argument);
}

/** For estimates: the scope of a field that may have an administration of its own. */
export function ownScope(args: Arguments, scope: CostScope): CostScope {
  const { administrationId: given } = args;
  if (given === undefined) return scope;
  return { ...scope, administration: administrationIdOrText(given), certain: [String(given)] };
}

/** An invalid id, which is an error only during execution, is returned unchanged. */
function administrationIdOrText(id: unknown): string {
  return ifValid(() => administrationId(String(id))) ?? String(id);
}
