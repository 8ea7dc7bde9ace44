import { type GraphQLResolveInfo, isObjectType } from 'graphql';
import { badInput } from '../rest/errors.ts';
import { fromLatin1 } from '../rest/latin1.ts';
import { BY_ID } from '../rest/lookup.ts';
import type { Row } from '../rest/resource.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { type Estimate, lookupCost, type Scope } from './estimate.ts';
import { decodeGlobalId, encodeGlobalId, type GlobalId } from './global-id.ts';
import { restMetadata, restMetadataOf } from './metadata.ts';
import { selectionOf } from './selection.ts';

/** The field `id` of a type: unique among all records of all types and administrations. */
export function globalId(type: string) {
  return {
    nullable: false,
    description: 'Global, opaque id.',
    extensions: restMetadata({ needs: ['id'] }),
    resolve: ({ id, administration_id }: Row) =>
      encodeGlobalId({ type, administration: fromLatin1(administration_id ?? ''), id: fromLatin1(id) }),
  } as const;
}

/** The field `internalId` of a type. */
export const INTERNAL_ID = { nullable: false, description: "The REST service's own id." } as const;

/** REST records carry no type name, so the type that each was fetched as is kept beside it. */
const typeNames = new WeakMap<object, string>();

/** What is made here rather than read may carry its type itself, as GraphQL has it: a WeakMap costs more. */
function typeNameOf(record: object): string | undefined {
  return '__typename' in record ? String(record.__typename) : typeNames.get(record);
}

export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'Something that can be fetched again by its global id.',
  resolveType: typeNameOf,
  fields: (t) => ({
    id: t.id({ nullable: false, description: 'Global, opaque id.' }),
  }),
});

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    description: 'The record with this global id, or null where it is gone. Bearer.',
    args: { id: t.arg.id({ required: true, description: 'The global id.' }) },
    extensions: restMetadata({ cost: ({ id }, scope) => costOf([id], scope) }),
    resolve: (_root, { id }, context, info) => {
      const record = fetcher(context, info)(decodeGlobalId(id));
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
    extensions: restMetadata({ cost: ({ ids }, scope) => costOf(Array.isArray(ids) ? ids : [], scope) }),
    resolve: (_root, { ids }, context, info) => {
      const { maxFirst } = context;
      if (ids.length > maxFirst) throw badInput(`\`ids\` takes at most ${maxFirst} ids at a time.`);
      return decodeAll(ids).ids.map(fetcher(context, info));
    },
  }),
);

/** Made once: ten thousand bad ids are ten thousand times the same mistake. */
const NOT_A_GLOBAL_ID = badInput('`id` is not a global id: take one from the field `id` of a record.');

/** Fetches records by global id, as the selection of one field needs them. */
function fetcher(context: Context, info: GraphQLResolveInfo) {
  // Worked out once for each type, not for each of ten thousand ids.
  const byType = new Map<string, ReturnType<typeof refetcherOf>>();
  /** An error is given back rather than thrown, so that it spoils one item of a list alone, at no great cost. */
  return (globalId: GlobalId | null): Error | object | null | Promise<object | null> => {
    if (globalId === null) return NOT_A_GLOBAL_ID;
    const { type, administration, id } = globalId;
    const refetch = byType.get(type) ?? refetcherOf(type, context, info);
    byType.set(type, refetch);
    if (refetch instanceof Error) return refetch;
    try {
      const found = refetch(administration, id);
      return found instanceof Promise ? found.then((record) => named(record, type)) : found;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
}

function refetcherOf(name: string, context: Context, info: GraphQLResolveInfo) {
  const type = info.schema.getType(name);
  const { refetch } = isObjectType(type) ? restMetadataOf(type) : {};
  if (type === undefined || refetch === undefined)
    return badInput(`A ${shown(name)} cannot be fetched by its id.`);
  const fields = selectionOf(info, type);
  return (administration: string, id: string) => refetch(context, administration, id, fields);
}

/** A type that a caller made up may be of any length. */
function shown(name: string): string {
  return name.length > 50 ? `${name.slice(0, 50)}…` : name;
}

function named(record: object | null, type: string): object | null {
  if (record !== null) typeNames.set(record, type);
  return record;
}

/** Global ids of one argument, and what they name together. */
interface DecodedIds {
  readonly ids: readonly (GlobalId | null)[];
  readonly administrations: number;
  readonly types: ReadonlySet<string>;
  /** The records among them that have to be looked up, by type and administration. */
  readonly lookups: ReadonlyMap<string, GlobalId & { readonly keys: string[] }>;
}

const decoded = new WeakMap<readonly unknown[], DecodedIds>();

/** Ids that come in a variable are one and the same array for the estimate and for each alias: decoded once. */
function decodeAll(given: readonly unknown[]): DecodedIds {
  let known = decoded.get(given);
  if (known === undefined) {
    const ids = given.map((id) => (typeof id === 'string' ? decodeGlobalId(id) : null));
    const administrations = new Set<string>();
    const types = new Set<string>();
    const lookups = new Map<string, GlobalId & { readonly keys: string[] }>();
    for (const globalId of ids) {
      if (globalId === null) continue;
      const { type, administration, id } = globalId;
      administrations.add(administration);
      types.add(type);
      if (type === 'Administration') continue;
      const name = `${type} ${administration}`;
      const lookup = lookups.get(name) ?? { ...globalId, keys: [] };
      lookups.set(name, lookup);
      lookup.keys.push(id);
    }
    known = { ids, administrations: administrations.size, types, lookups };
    decoded.set(given, known);
  }
  return known;
}

/** One lookup for each type and administration among the ids. */
function costOf(ids: readonly unknown[], scope: Scope): Estimate {
  // Refused when the field runs, before any id is read.
  if (ids.length > scope.maxFirst) return { reads: [], items: 0 };
  const { administrations, types, lookups } = decodeAll(ids);
  return {
    reads: Array.from(lookups.values()).flatMap(
      ({ type, administration, keys }) =>
        lookupCost({ type, filter: BY_ID.filter, keys }, { ...scope, administration }).reads,
    ),
    items: ids.length,
    types,
    scope: { origin: `nodes of ${scope.origin}`, administrations },
  };
}
