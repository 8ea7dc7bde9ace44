import { type GraphQLResolveInfo, isObjectType } from 'graphql';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { KEYS_PER_CALL } from '../cost.ts';
import { decodeGlobalId, encodeGlobalId, type GlobalId } from '../global-id.ts';
import { textOf } from '../rest/bytes.ts';
import { badInput } from '../rest/errors.ts';
import type { Row } from '../rest/resource.ts';
import { selectionOf } from '../selection.ts';
import { type Estimate, type Scope, traits, traitsOf } from '../traits.ts';

/** The field `id` of a type: unique among all records of all types and administrations. */
export function globalId(type: string) {
  return {
    nullable: false,
    description: 'Global, opaque id.',
    extensions: traits({ needs: ['id'] }),
    resolve: ({ id, administration_id }: Row) =>
      encodeGlobalId({ type, administration: textOf(administration_id ?? ''), id: textOf(id) }),
  } as const;
}

/** The field `internalId` of a type. */
export const INTERNAL_ID = { nullable: false, description: "The REST service's own id." } as const;

/** REST records carry no type name, so the type that each was fetched as is kept beside it. */
const typeNames = new WeakMap<object, string>();

export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'Something that can be fetched again by its global id.',
  resolveType: (record) => typeNames.get(record),
  fields: (t) => ({
    id: t.id({ nullable: false, description: 'Global, opaque id.' }),
  }),
});

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    description: 'The record with this global id, or null where it is gone. Bearer.',
    args: { id: t.arg.id({ required: true, description: 'The global id.' }) },
    extensions: traits({ cost: ({ id }, scope) => costOf([id], scope) }),
    resolve: (_root, { id }, context, info) => {
      const globalId = decodeGlobalId(id);
      return globalId ? fetchNode(globalId, context, info) : notGlobal();
    },
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'The records with these global ids, in their order, null where one is gone. Bearer.',
    args: { ids: t.arg.idList({ required: true, description: 'The global ids.' }) },
    extensions: traits({ cost: ({ ids }, scope) => costOf(Array.isArray(ids) ? ids : [], scope) }),
    resolve: (_root, { ids }, context, info) => {
      const { maxFirst } = context;
      if (ids.length > maxFirst) throw badInput(`\`ids\` takes at most ${maxFirst} ids at a time.`);
      // Thousands of ids may be wrong in the same way: one error stands for all of them, and none needs a promise.
      let wrong: Error | undefined;
      return ids.map((id) => {
        const globalId = decodeGlobalId(id);
        if (globalId) return fetchNode(globalId, context, info);
        wrong ??= notGlobal();
        return wrong;
      });
    },
  }),
);

function notGlobal(): Error {
  return badInput('`id` is not a global id: take one from the field `id` of a record.');
}

/** What cannot be fetched is an error as a value, in its place at once. */
function fetchNode(
  globalId: GlobalId,
  context: Context,
  info: GraphQLResolveInfo,
): Error | Promise<object | null> {
  const type = info.schema.getType(globalId.type);
  const { refetch } = isObjectType(type) ? traitsOf(type) : {};
  if (type === undefined || refetch === undefined)
    return badInput(`A ${globalId.type} cannot be fetched by its id.`);
  return fetchRecord(globalId, () =>
    refetch(context, globalId.administration, globalId.id, selectionOf(info, type)),
  );
}

async function fetchRecord(
  { type }: GlobalId,
  refetch: () => Promise<object | null> | object | null,
): Promise<object | null> {
  const record = await refetch();
  if (record !== null) typeNames.set(record, type);
  return record;
}

/** One lookup for each type and administration among the ids. */
function costOf(ids: readonly unknown[], { origin }: Scope): Estimate {
  const reads = ids.flatMap((id) => {
    const globalId = typeof id === 'string' ? decodeGlobalId(id) : null;
    if (globalId === null || globalId.type === 'Administration') return [];
    const call = `${globalId.type} by id in ${globalId.administration}, after ${origin}`;
    return [{ call, rows: [globalId.id], perCall: KEYS_PER_CALL }];
  });
  return {
    reads,
    scope: { rows: ids.length, administrations: new Set(reads.map(({ call }) => call)).size || 1 },
  };
}
