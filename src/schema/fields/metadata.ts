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

/** What is known before execution about the records that a selection applies to. */
export interface CostScope {
  /** The most that they may be. */
  readonly records: number;
  /** The most administrations that they may belong to. */
  readonly administrations: number;
  /** Whether they are those of one administration of a token, which may reach any number of them. */
  readonly isUnbounded: boolean;
  readonly maxFirst: number;
}

/** The most REST calls that a field makes. */
export interface Estimate {
  /** Fields side by side make those of one name once; with keys, once for each URL that all their keys take. */
  readonly reads: readonly {
    readonly name: string;
    readonly calls: number;
    readonly keys?: readonly string[];
    /** The length available for keys in one URL; none if each needs a call of its own. */
    readonly room?: number;
  }[];
  /** The scope of the nested selection, where it differs from that of the field. */
  readonly scope?: Partial<CostScope>;
}

/** How a field or type of the schema relates to the REST service. A class, so that it can be told from what others put there. */
class RestMetadata {
  /** Whether the field is the member of the same name of its row. */
  readonly isMember?: boolean;
  /** The members that the field is made of. */
  readonly needs?: readonly string[];
  /** Estimates the REST calls of the field, at most; the plan tells what is selected below it. Throws where the field does. */
  readonly cost?: (args: Arguments, scope: CostScope, plan: FieldPlan) => Estimate;
  /** The resource whose records the field lists. */
  readonly listedResource?: Resource;
  /** On a type: where `node` and `nodes` fetch its records by their ids; null if all of them is known by the id. */
  readonly refetchedFrom?: Resource | null;

  constructor(values: RestMetadata) {
    Object.assign(this, values);
  }
}

type Extensions = { readonly [name: string]: unknown };

/** The `extensions` of a field or a type. */
export function restMetadata(metadata: RestMetadata): Extensions {
  return { rest: new RestMetadata(metadata) };
}

/** How a field of a record's type is made of these members of its row. */
export function derivedField<Needs extends string, Value>(
  needs: readonly Needs[],
  make: (row: Row) => Value,
) {
  return { needs, resolve: syncResolver(make), extensions: restMetadata({ needs }) };
}

export function restMetadataOf({ extensions: { rest } }: { readonly extensions: Extensions }): RestMetadata {
  return rest instanceof RestMetadata ? rest : {};
}

/** The members that the selection of a field needs; of what has several types, on that of this name. */
export function selectionOf(
  info: GraphQLResolveInfo,
  typeName = getNamedType(info.returnType).name,
): FieldTree {
  const plan = getFieldPlan(info).objectPlans.find(({ type }) => type.name === typeName);
  return plan ? collectObject(plan) : {};
}

/** Memoized by plan, so that a selection is collected once, not per row or per request. */
export const collectObject = weakMemoize(
  (plan: ObjectPlan): FieldTree => mergeAll(plan.fields.map(collectField)),
);

/** Members are read as they are, and what is made of members needs those. All else just leads to records. */
function collectField(plan: FieldPlan): FieldTree {
  const { isMember, needs } = restMetadataOf(plan.field);
  if (needs) return createFieldTree(needs);
  // None in a record is of several types.
  const [object] = plan.objectPlans;
  const members = object ? collectObject(object) : LEAF;
  return isMember ? { [plan.field.name]: members } : members;
}

/** The bytes of an id that is not known before it is read, on average in a URL: longer than a UUID. */
const UNKNOWN_ID_BYTES = 64;
const JOINED_PER_CALL = Math.floor(roomForValues(UNKNOWN_ID_BYTES) / (UNKNOWN_ID_BYTES + 1));

/** A lookup by keys that the operation names. */
export function lookupCost(
  { type }: Pick<Resource, 'type'>,
  filter: string,
  keys: readonly string[],
  administration: string | undefined,
  { records, administrations }: CostScope,
): Estimate {
  const calls = administration === undefined ? Math.min(records, administrations) : 1;
  // Of other keys than ids, the records of one may fill a page, and so the page of each call.
  const beside = administration === undefined ? UNKNOWN_ID_BYTES : encodedLength(administration);
  const room = filter === BY_ID.filter ? roomForValues(beside) : 0;
  return {
    reads: [{ name: compositeKey('lookup', type, filter, administration), calls, keys, room }],
    scope: { records: calls * keys.length, administrations: calls },
  };
}

/** One lookup for the records that all parent rows refer to; lookups of one name are shared. */
export function joinCost(
  { type }: Resource,
  { records, administrations }: CostScope,
  name = compositeKey('join', type),
) {
  // Each administration has its own lookup, and the last call of each may have fewer keys than fit. A list may be empty.
  const calls = Math.max(0, Math.ceil(records / JOINED_PER_CALL) + administrations - 1);
  return { reads: [{ name, calls: Math.min(records, calls) }] };
}

/** Undefined where what is given is invalid, which is an error only when the field is executed. */
export function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
