import { type GraphQLResolveInfo, isObjectType } from 'graphql';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { lookupName } from '../cost.ts';
import { decodeGlobalId, encodeGlobalId, type GlobalId } from '../global-id.ts';
import { textOf } from '../rest/bytes.ts';
import { badInput } from '../rest/errors.ts';
import { BY_ID } from '../rest/lookup.ts';
import { encodedLength, roomForValues } from '../rest/query.ts';
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
      const record = fetchNode(decodeGlobalId(id), context, info);
      if (record instanceof Error) throw record;
      return record;
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
      return decodeAll(ids).map((id) => fetchNode(id, context, info));
    },
  }),
);

/** Made once: ten thousand bad ids are ten thousand times the same mistake. */
const NOT_A_GLOBAL_ID = badInput('`id` is not a global id: take one from the field `id` of a record.');

/** An error is given back rather than thrown, so that it spoils one item of a list alone, at no great cost. */
function fetchNode(
  globalId: GlobalId | null,
  context: Context,
  info: GraphQLResolveInfo,
): Error | Promise<object | null> {
  if (globalId === null) return NOT_A_GLOBAL_ID;
  const type = info.schema.getType(globalId.type);
  const { refetch } = isObjectType(type) ? traitsOf(type) : {};
  if (type === undefined || refetch === undefined) {
    return badInput(`A ${globalId.type} cannot be fetched by its id.`);
  }
  return fetchAgain(globalId, () =>
    refetch(context, globalId.administration, globalId.id, selectionOf(info, type)),
  );
}

async function fetchAgain(
  { type }: GlobalId,
  refetch: () => Promise<object | null> | object | null,
): Promise<object | null> {
  const record = await refetch();
  if (record !== null) typeNames.set(record, type);
  return record;
}

const decoded = new WeakMap<readonly unknown[], readonly (GlobalId | null)[]>();

/** Ids that come in a variable are one and the same array for the estimate and for each alias: decoded once. */
function decodeAll(ids: readonly unknown[]): readonly (GlobalId | null)[] {
  let all = decoded.get(ids);
  if (all === undefined) {
    all = ids.map((id) => (typeof id === 'string' ? decodeGlobalId(id) : null));
    decoded.set(ids, all);
  }
  return all;
}

/** One lookup for each type and administration among the ids. */
function costOf(ids: readonly unknown[], scope: Scope): Estimate {
  // Refused when the field runs, before any id is read.
  if (ids.length > scope.maxFirst) return { reads: [], items: 0 };
  const keys = new Map<string, { readonly administration: string; readonly keys: string[] }>();
  const administrations = new Set<string>();
  for (const globalId of decodeAll(ids)) {
    if (globalId === null) continue;
    const { type, administration, id } = globalId;
    administrations.add(administration);
    if (type === 'Administration') continue;
    const name = lookupName(type, BY_ID.filter, administration, scope.origin);
    const lookup = keys.get(name);
    if (lookup) lookup.keys.push(id);
    else keys.set(name, { administration, keys: [id] });
  }
  return {
    reads: Array.from(keys, ([name, lookup]) => {
      const room = roomForValues(encodedLength(lookup.administration));
      return { name, calls: { keys: lookup.keys, room, times: 1 } };
    }),
    items: ids.length,
    scope: { origin: `nodes of ${scope.origin}`, administrations: administrations.size },
  };
}
