import { type GraphQLResolveInfo, getNamedType } from 'graphql';
import { compositeKey } from '../../composite-key.ts';
import { getFieldPlan } from '../../execution/execution-context.ts';
import { type Arguments, type FieldPlan, markDerived, type ObjectPlan } from '../../execution/plan.ts';
import { weakMemoize } from '../../memoize.ts';
import { createFieldTree, type FieldTree, LEAF, mergeAll } from '../../rest/fields.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { roomForValues } from '../../rest/query.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import { encodedLength } from '../../rest/url.ts';

/** The known facts about the records that a selection applies to, for the estimate. */
export interface CostScope {
  /** The maximum number of records. */
  readonly records: number;
  /** The maximum number of their administrations. */
  readonly administrations: number;
  /** Whether the records belong to an administration of a token, which may reach any number of them. */
  readonly isUnbounded: boolean;
  readonly maxFirst: number;
}

/** The maximum number of REST calls of a field. */
export interface Estimate {
  /** Sibling fields share the calls of one name; with keys, each URL that their keys need is a call. */
  readonly reads: readonly {
    readonly name: string;
    readonly calls: number;
    readonly keys?: readonly string[];
    /** The length available for keys in one URL; 0 if each key needs its own call. */
    readonly room?: number;
  }[];
  /** How the scope of the nested selection differs from that of the field. */
  readonly scope?: Partial<CostScope>;
}

/** How a field or type relates to the REST service. A class, to distinguish it from other values of `extensions.rest`. */
class RestMetadata {
  /** Whether the field is the member of its row with the same name. */
  readonly isMember?: boolean;
  /** The members that the field needs. */
  readonly needs?: readonly string[];
  /** Estimates the maximum of REST calls; the plan has the nested selection. Throws if the field would. */
  readonly cost?: (args: Arguments, scope: CostScope, plan: FieldPlan) => Estimate;
  /** The resource whose records the field lists. */
  readonly listedResource?: Resource;
  /** On a type: the resource from which `node` and `nodes` fetch its records; null if the id is the whole record. */
  readonly refetchedFrom?: Resource | null;

  constructor(values: RestMetadata) {
    Object.assign(this, values);
  }
}

type Extensions = { readonly [name: string]: unknown };

/** Returns the `extensions` of a field or a type. */
export function restMetadata(metadata: RestMetadata): Extensions {
  return { rest: new RestMetadata(metadata) };
}

/** Defines a field that is derived from these members of its row. */
export function derivedField<Needs extends string, Value>(
  needs: readonly Needs[],
  derive: (row: Row) => Value,
) {
  return { needs, resolve: markDerived(derive), extensions: restMetadata({ needs }) };
}

export function getRestMetadata({ extensions: { rest } }: { readonly extensions: Extensions }): RestMetadata {
  return rest instanceof RestMetadata ? rest : {};
}

/** Returns the members that the selection of a field needs; for an abstract type, on the type of this name. */
export function getSelection(info: GraphQLResolveInfo, typeName = getNamedType(info.returnType).name) {
  const plan = getFieldPlan(info).objectPlans.find(({ type }) => type.name === typeName);
  return plan ? collectObject(plan) : {};
}

/** Memoized by plan, so that a selection is collected only once. */
export const collectObject = weakMemoize(
  (plan: ObjectPlan): FieldTree => mergeAll(plan.fields.map(collectField)),
);

/** Returns the members that a field needs: itself, those it is derived from, or those of nested records. */
function collectField(plan: FieldPlan): FieldTree {
  const { isMember, needs } = getRestMetadata(plan.field);
  if (needs) return createFieldTree(needs);
  // No field of a record has an abstract type.
  const [object] = plan.objectPlans;
  const members = object ? collectObject(object) : LEAF;
  return isMember ? { [plan.field.name]: members } : members;
}

/** The assumed length in a URL of an id that is not yet known: longer than a UUID. */
const UNKNOWN_ID_BYTES = 64;
const JOINED_PER_CALL = Math.floor(roomForValues(UNKNOWN_ID_BYTES) / (UNKNOWN_ID_BYTES + 1));

/** Estimates a lookup by keys in the arguments of an operation. */
export function lookupCost(
  { type }: Pick<Resource, 'type'>,
  filter: string,
  keys: readonly string[],
  administration: string | undefined,
  { records, administrations }: CostScope,
): Estimate {
  const calls = administration === undefined ? Math.min(records, administrations) : 1;
  // A key other than an id may have many records, so that each fills a page and needs its own call.
  const otherLength = administration === undefined ? UNKNOWN_ID_BYTES : encodedLength(administration);
  const room = filter === BY_ID.filter ? roomForValues(otherLength) : 0;
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
  // Each administration has its own lookup, whose last call may be partly filled. A list may be empty.
  const calls = Math.max(0, Math.ceil(records / JOINED_PER_CALL) + administrations - 1);
  return { reads: [{ name, calls: Math.min(records, calls) }] };
}

/** Returns undefined if the arguments are invalid, which is an error only when the field is executed. */
export function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
