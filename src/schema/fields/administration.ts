import type { InputFieldMap, OutputRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Arguments } from '../../execution/plan.ts';
import type { Resource } from '../../rest/resource.ts';
import { id, text } from '../../rest/values.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { derivedField } from './metadata.ts';
import { administrationId, recordIds } from './node.ts';
import { recordType } from './record-type.ts';

const administration = {
  ...recordIds('Administration'),
  name: text.optional(
    'Name. It is known only where a token was introspected, below `viewer` and `introspectToken`; null elsewhere.',
  ),
};

/** The service has no endpoint for administrations, so only the id is known. */
export const Administration = recordType('Administration', administration, {
  description: 'The unit that data belongs to: a company owns one or more, and each debtor belongs to one.',
  refetchedFrom: null,
});

export const administrationFields = {
  administrationId: id.required('Internal id of the administration it belongs to.'),
  administration: {
    type: Administration,
    description: 'The administration it belongs to. Costs no REST call.',
    ...derivedField(['administrationId'], ({ administrationId: id }) => (id ? { internalId: id } : null)),
  },
} as const;

/** Adds a field to `Query` and, if it takes an `administrationId`, to `Administration`, which passes its own id. */
export function addField(
  name: string,
  { filters }: Resource,
  options: {
    readonly type: OutputRef<object>;
    readonly description: string;
    readonly extensions: { readonly [name: string]: unknown };
    readonly args: InputFieldMap;
  },
  resolve: (args: Arguments, context: Context, info: GraphQLResolveInfo) => Promise<object | null>,
): void {
  const isInAdministration = filters.administrationId !== undefined;
  builder.queryField(name, (t) =>
    t.field({
      ...options,
      args: { ...(isInAdministration && administrationArgument), ...options.args },
      resolve: (_root, args: Arguments, context, info) => resolve(args, context, info),
    }),
  );
  if (!isInAdministration) return;
  builder.objectField(Administration, name, (t) =>
    t.field({
      ...options,
      resolve: ({ internalId: administrationId }, args: Arguments, context, info) =>
        resolve({ ...args, administrationId }, context, info),
    }),
  );
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
    resolve: (_root, { id }) => ({ internalId: administrationId(id, 'id') }),
  }),
);
