import { type GraphQLResolveInfo, getNamedType } from 'graphql';
import { compositeKey } from '../../composite-key.ts';
import { getFieldPlan } from '../../execution/execution-context.ts';
import { type Arguments, type FieldPlan, type ObjectPlan, syncResolver } from '../../execution/plan.ts';
import { weakMemoize } from '../../memoize.ts';
import { createFieldTree, type FieldTree, LEAF, mergeAll } from '../../rest/fields.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { roomForValues } from '../../rest/query.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import { encodedLength } from '../../rest/url.ts';

/** Upper limits of what a selection applies to, known before execution. */
export interface CostScope {
  readonly records: number;
  readonly administrations: number;
  /** Whether the selection applies to each administration of a token, which may be any number. */
  readonly isUnbounded: boolean;
  readonly maxFirst: number;
}

/** The most REST calls that a field makes. */
export interface Estimate {
  /** Sibling fields share the calls of one name. With `keys`, the calls depend on how many URLs all keys need. */
  readonly reads: readonly {
    readonly name: string;
    readonly calls: number;
    readonly keys?: readonly string[];
    /** The length available for keys in one URL; zero if each key needs its own call. */
    readonly room?: number;
  }[];
  /** The scope of nested fields, where it differs. */
  readonly scope?: Partial<CostScope>;
}

/** How a field or type relates to the REST service. A class, to distinguish it from other extensions. */
class RestMetadata {
  /** Whether the field is a member of its row with the same name. */
  readonly isMember?: boolean;
  /** The members of the row that the field needs. */
  readonly needs?: readonly string[];
  /** Estimates the most REST calls of the field. Throws if its resolver would. */
  readonly cost?: (args: Arguments, scope: CostScope, plan: FieldPlan) => Estimate;
  /** The resource whose records the field lists. */
  readonly listedResource?: Resource;
  /** The resource that `node` fetches records of this type from, or null if their id is all there is. */
  readonly refetchedFrom?: Resource | null;

  constructor(values: RestMetadata) {
    Object.assign(this, values);
  }
}

type Extensions = { readonly [name: string]: unknown };

export function restMetadata(metadata: RestMetadata): Extensions {
  return { rest: new RestMetadata(metadata) };
}

/** Describes a field that is computed from members of its row. */
export function derivedField<Needs extends string, Value>(
  needs: readonly Needs[],
  make: (row: Row) => Value,
) {
  return { needs, resolve: syncResolver(make), extensions: restMetadata({ needs }) };
}

export function restMetadataOf({ extensions: { rest } }: { readonly extensions: Extensions }): RestMetadata {
  return rest instanceof RestMetadata ? rest : {};
}

/** Returns the fields to request for the selection of a field, on one of its possible types. */
export function selectionOf(
  info: GraphQLResolveInfo,
  typeName = getNamedType(info.returnType).name,
): FieldTree {
  const plan = getFieldPlan(info).objectPlans.find(({ type }) => type.name === typeName);
  return plan ? collectObject(plan) : {};
}

/** Memoized by plan: not collected again for each row or request. */
export const collectObject = weakMemoize(
  (plan: ObjectPlan): FieldTree => mergeAll(plan.fields.map(collectField)),
);

/** Only members and their needs are requested; other fields lead to records. */
function collectField(plan: FieldPlan): FieldTree {
  const { isMember, needs } = restMetadataOf(plan.field);
  if (needs) return createFieldTree(needs);
  // Fields of records have no abstract types.
  const [object] = plan.objectPlans;
  const members = object ? collectObject(object) : LEAF;
  return isMember ? { [plan.field.name]: members } : members;
}

/** The assumed length of an id that is not known yet: longer than a UUID. */
const UNKNOWN_ID_BYTES = 64;
const JOINED_PER_CALL = Math.floor(roomForValues(UNKNOWN_ID_BYTES) / (UNKNOWN_ID_BYTES + 1));

/** Estimates a lookup by keys that the operation contains. */
export function lookupCost(
  { type }: Pick<Resource, 'type'>,
  filter: string,
  keys: readonly string[],
  administration: string | undefined,
  { records, administrations }: CostScope,
): Estimate {
  const calls = administration === undefined ? Math.min(records, administrations) : 1;
  // A key that is not an id may match a full page, so each needs its own call.
  const beside = administration === undefined ? UNKNOWN_ID_BYTES : encodedLength(administration);
  const room = filter === BY_ID.filter ? roomForValues(beside) : 0;
  return {
    reads: [{ name: compositeKey('lookup', type, filter, administration), calls, keys, room }],
    scope: { records: calls * keys.length, administrations: calls },
  };
}

/** Estimates the lookup of the records that all parent rows refer to. Lookups of one name are shared. */
export function joinCost(
  { type }: Resource,
  { records, administrations }: CostScope,
  name = compositeKey('join', type),
) {
  // Each administration has its own lookup, whose last call may have fewer keys than fit. A list may be empty.
  const calls = Math.max(0, Math.ceil(records / JOINED_PER_CALL) + administrations - 1);
  return { reads: [{ name, calls: Math.min(records, calls) }] };
}

/** Returns undefined if arguments are invalid: their error belongs to the execution of the field. */
export function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
