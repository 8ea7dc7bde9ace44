import { getFieldDef } from '@graphql-tools/executor';
import { collectFields } from '@graphql-tools/utils';
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { getOrCreate } from '../memoize.ts';
import type { Arguments } from './arguments.ts';
import type { Variables } from './variables.ts';

/** What collecting fields depends on; the variables are those that `@skip` and `@include` use. */
export type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

const NO_ARGUMENTS: Arguments = Object.freeze({});

/** One selected field: its merged nodes, and a plan of its selection for each possible object type. */
export class FieldPlan {
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parentType: GraphQLObjectType;
  readonly nodes: FieldNode[];
  readonly operation: Operation;
  /** Created on first use: most fields are leaves, and an empty Map takes more memory than the rest of the plan. */
  #objects: Map<GraphQLObjectType, ObjectPlan> | undefined;

  constructor(
    key: string,
    field: GraphQLField<unknown, unknown>,
    parentType: GraphQLObjectType,
    nodes: FieldNode[],
    operation: Operation,
  ) {
    this.key = key;
    this.field = field;
    this.parentType = parentType;
    this.nodes = nodes;
    this.operation = operation;
  }

  objectPlan(type: GraphQLObjectType): ObjectPlan {
    this.#objects ??= new Map();
    return getOrCreate(this.#objects, type, () => {
      const sets = this.nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      return new ObjectPlan(this.operation, type, sets);
    });
  }

  /** A plan for each possible object type; none for a leaf. */
  objectPlans(): readonly ObjectPlan[] {
    const type = getNamedType(this.field.type);
    if (isAbstractType(type))
      return this.operation.schema.getPossibleTypes(type).map((possible) => this.objectPlan(possible));
    return isObjectType(type) ? [this.objectPlan(type)] : [];
  }

  /** Validation ensures that merged nodes have the same arguments. Throws if they are invalid. */
  argumentsWith(variables: Variables): Arguments {
    const [node] = this.nodes;
    return node && this.field.args.length > 0 ? getArgumentValues(this.field, node, variables) : NO_ARGUMENTS;
  }
}

/** The collected fields of a selection on an object type: fragments expanded, directives applied, keys merged. */
export class ObjectPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];

  constructor(operation: Operation, type: GraphQLObjectType, sets: readonly SelectionSetNode[]) {
    const { schema, fragments, variableValues: coerced } = operation;
    const merged = {
      kind: Kind.SELECTION_SET,
      selections: sets.flatMap(({ selections }) => selections),
    } as const;
    const { fields } = collectFields(schema, fragments, { coerced, sources: {} }, type, merged);
    this.type = type;
    this.fields = Array.from(fields).flatMap(([key, nodes]) => {
      const [node] = nodes;
      const field = node && getFieldDef(schema, type, node);
      return field ? new FieldPlan(key, field, type, nodes, operation) : [];
    });
  }
}

/** What is selected below a field. */
export function selectedIn(plan: FieldPlan): readonly FieldPlan[] {
  return plan.objectPlans().flatMap(({ fields }) => fields);
}
