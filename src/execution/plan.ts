import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectFields, type PlanContext } from './collect-fields.ts';
import type { ResultSize } from './result-size.ts';
import { createArgumentReader, NO_VALUES, type Variables } from './variables.ts';

/** Resolves a field for many sources at once, each to a value, null or an Error. */
export interface BatchResolver {
  resolve(
    sources: readonly object[],
    context: unknown,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]>;
}

// The keys are resolvers: if a plugin replaces one, its own resolver is called like any other.
const derivedResolvers = new WeakMap<object, DerivedResolver>();
const batchResolvers = new WeakMap<object, BatchResolver>();

type DerivedResolver = { resolve(source: unknown): unknown };

/** Marks a resolver that derives its value from the source alone, without a promise. */
export function markDerived<Source, Value>(resolve: (source: Source) => Value) {
  derivedResolvers.set(resolve, { resolve });
  return resolve;
}

/** Registers a batch resolver for the resolver of a nullable field without arguments. */
export function registerBatchResolver(resolve: object, batch: BatchResolver): void {
  batchResolvers.set(resolve, batch);
}

export type Arguments = Variables;
export type ResultObject = Record<string, unknown>;

/** Validation ensures that `__schema` and `__type` are selected only on the query type. */
const META_FIELDS = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map((field) => [field.name, field]),
);

/** Measured after execution, with 200 to 1,500 fields: 300 to 700 bytes for a leaf, up to 2,000 for others. */
const FIELD_BYTES = 800;
const OBJECT_BYTES = 1_500;
/** How many copied values take as long as an id or a cursor, an object that is written field by field, and a list. */
const DERIVED_VALUE_COST = 7;
const OBJECT_COST = 10;
export const RESOLVED_VALUE_COST = 30;

/** A selected field: its merged nodes, and a plan of its selection for each possible object type. */
export class FieldPlan {
  readonly objectPlans: readonly ObjectPlan[];
  readonly batchResolver: BatchResolver | undefined;
  readonly derivedResolver: DerivedResolver | undefined;
  /** Whether it needs only the source: a leaf, or an object of such fields. */
  readonly isPlain: boolean;
  /** How many values of a result it counts as. */
  readonly valueCost: number;
  #readArguments: ReturnType<typeof createArgumentReader> | undefined;

  constructor(
    readonly key: string,
    readonly field: GraphQLField<unknown, unknown>,
    readonly parentType: GraphQLObjectType,
    readonly nodes: FieldNode[],
    readonly planContext: PlanContext,
  ) {
    const named = getNamedType(field.type);
    const types = isAbstractType(named)
      ? planContext.schema.getPossibleTypes(named)
      : [named].filter(isObjectType);
    this.objectPlans = types.map((type) => new ObjectPlan(planContext, type, nodes));
    this.batchResolver = field.resolve && batchResolvers.get(field.resolve);
    const type = getNullableType(field.type);
    const hasPlainFields =
      isObjectType(type) && this.objectPlans.every(({ fieldsToResolve }) => fieldsToResolve.length === 0);
    this.derivedResolver = field.resolve && derivedResolvers.get(field.resolve);
    const isRead = field.resolve === undefined || this.derivedResolver !== undefined;
    this.isPlain = field.name === '__typename' || (isRead && (isLeafType(type) || hasPlainFields));
    if (!isRead && !this.batchResolver) this.valueCost = RESOLVED_VALUE_COST;
    else if (isLeafType(type)) this.valueCost = this.derivedResolver ? DERIVED_VALUE_COST : 1;
    else this.valueCost = this.isPlain ? 1 : OBJECT_COST;
  }

  /** Validation ensures that merged nodes have the same arguments. Throws if they are invalid. */
  coerceArguments(variables: Variables): Arguments {
    const [node] = this.nodes;
    if (!node || this.field.args.length === 0) return NO_VALUES;
    this.#readArguments ??= createArgumentReader(this.field, node);
    return this.#readArguments(variables);
  }
}

/**
 * Creates a result object with the values of plain fields, and null for the others. Returns undefined if a resolver
 * throws, or a value is an Error or has the wrong type: the general path then reports the path of that field.
 */
export type ObjectFactory = (
  source: unknown,
  exeContext: { readonly size: ResultSize },
) => ResultObject | undefined;

/** The collected fields of a selection on an object type. */
export class ObjectPlan {
  readonly fields: readonly FieldPlan[];
  readonly fieldsToResolve: readonly FieldPlan[];
  /** The bytes of the plan, with those of nested selections. */
  readonly bytes: number;
  /** The minimum length of such an object as JSON: `{"key":1,"key":1}`. */
  readonly jsonBytes: number;
  /** How many values of a result an object counts as. */
  readonly valueCost: number;
  /** How many objects were written field by field, before there was a factory. */
  executionCount = 0;
  factory: ObjectFactory | undefined;

  constructor(
    planContext: PlanContext,
    readonly type: GraphQLObjectType,
    nodes: readonly Pick<FieldNode, 'selectionSet'>[],
  ) {
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
    const fields = collectFields(planContext, type, selections);
    this.fields = Array.from(fields).flatMap(([key, fieldNodes]) => {
      const name = fieldNodes[0]?.name.value ?? '';
      const field = META_FIELDS.get(name) ?? type.getFields()[name];
      return field ? new FieldPlan(key, field, type, fieldNodes, planContext) : [];
    });
    this.fieldsToResolve = this.fields.filter(({ isPlain }) => !isPlain);
    this.jsonBytes = this.fields.reduce((sum, { key }) => sum + key.length + 5, 2);
    this.valueCost = this.fields.reduce((sum, { valueCost }) => sum + valueCost, 0);
    const below = this.fields.flatMap(({ objectPlans }) => objectPlans);
    const ownBytes = OBJECT_BYTES + FIELD_BYTES * this.fields.length;
    this.bytes = below.reduce((sum, { bytes }) => sum + bytes, ownBytes);
  }
}

export function getSubfields(plan: FieldPlan): readonly FieldPlan[] {
  return plan.objectPlans.flatMap(({ fields }) => fields);
}
