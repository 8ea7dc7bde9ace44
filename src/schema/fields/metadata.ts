import {
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import { type Arguments, computes, type FieldPlan, type ObjectPlan } from '../../execution/plan.ts';
import { planOf } from '../../execution/run.ts';
import { weakMemoize } from '../../memoize.ts';
import { type Fields, fieldsOf, LEAF, mergeAll } from '../../rest/fields.ts';
import type { Resource } from '../../rest/resource.ts';

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
  /** The field's selection applies to the record itself: `edges`, `nodes`, `node`, or the record in a payload. */
  readonly wrapsRecord?: boolean;
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

/** The `extensions` of a field or a type. */
export function restMetadata(metadata: RestMetadata): { readonly [name: string]: unknown } {
  return { rest: new RestMetadata(metadata) };
}

/** The resolver and `extensions` of a field that is computed from its source at once, so that rows need no resolver call. */
export function computed<Source extends object, Value>(
  compute: (source: Source) => Value,
  metadata: RestMetadata = {},
) {
  return { resolve: computes(compute), extensions: restMetadata(metadata) } as const;
}

export function restMetadataOf(definition: {
  readonly extensions: { readonly [name: string]: unknown };
}): RestMetadata {
  const { rest } = definition.extensions;
  return rest instanceof RestMetadata ? rest : {};
}

export function resourcesOf(schema: GraphQLSchema): Resource[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields.flatMap((field) => restMetadataOf(field).listedResource ?? []);
}

/** Memoized by plan, so that a selection is collected once, not per row or per request. */
const collectObject = weakMemoize((plan: ObjectPlan): Fields => mergeAll(plan.fields.map(collectField)));

/** The members that a selection on `type` needs. */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Fields {
  return isObjectType(type) ? collectObject(planOf(info).objectPlan(type)) : {};
}

function collectField(plan: FieldPlan): Fields {
  const { isMember, needs = [], wrapsRecord } = restMetadataOf(plan.field);
  if (!isMember && !wrapsRecord) return fieldsOf(needs);
  const type = getNamedType(plan.field.type);
  const members = isObjectType(type) ? collectObject(plan.objectPlan(type)) : LEAF;
  return wrapsRecord ? members : { [plan.field.name]: members };
}
