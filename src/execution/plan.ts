import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { getOrCreate } from '../memoize.ts';
import type { Arguments } from './arguments.ts';
import type { Variables } from './variables.ts';

/** What collecting fields depends on; the variables are those that `@skip` and `@include` use. */
export interface Operation {
  readonly schema: GraphQLSchema;
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode };
  readonly variableValues: Variables;
}

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
    return node ? getArgumentValues(this.field, node, variables) : {};
  }
}

/** The collected fields of a selection on an object type: fragments expanded, directives applied, keys merged. */
export class ObjectPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];

  constructor(operation: Operation, type: GraphQLObjectType, sets: readonly SelectionSetNode[]) {
    this.type = type;
    const fields = new Map<string, FieldPlan>();
    const visited = new Set<string>();
    for (const set of sets) {
      for (const node of fieldNodesIn(operation, type, set, visited)) {
        const key = interned(node.alias?.value ?? node.name.value);
        const existing = fields.get(key);
        if (existing) existing.nodes.push(node);
        else fields.set(key, planField(operation, type, key, node));
      }
    }
    this.fields = [...fields.values()];
  }
}

/** The internalized copy of a string that V8 uses for property keys; any other needs a table lookup at each access. */
function interned(name: string): string {
  return Object.keys({ [name]: true })[0] ?? name;
}

function planField(operation: Operation, type: GraphQLObjectType, key: string, node: FieldNode): FieldPlan {
  // Assigning this key would set the prototype instead of a property.
  if (key === '__proto__') throw new GraphQLError('`__proto__` cannot be an alias.', { nodes: node });
  const field = fieldOf(operation.schema, type, node.name.value);
  if (field === undefined) throw new GraphQLError(`There is no field ${node.name.value}.`, { nodes: node });
  return new FieldPlan(key, field, type, [node], operation);
}

function fieldOf(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return type.getFields()[name];
}

function* fieldNodesIn(
  operation: Operation,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  visited: Set<string>,
): Generator<FieldNode> {
  for (const node of set.selections) {
    if (!isIncluded(operation, node)) continue;
    if (node.kind === Kind.FIELD) {
      yield node;
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      if (matchesTypeCondition(operation, node.typeCondition?.name.value, type)) {
        yield* fieldNodesIn(operation, type, node.selectionSet, visited);
      }
    } else if (!visited.has(node.name.value)) {
      visited.add(node.name.value);
      const fragment = operation.fragments[node.name.value];
      if (fragment && matchesTypeCondition(operation, fragment.typeCondition.name.value, type)) {
        yield* fieldNodesIn(operation, type, fragment.selectionSet, visited);
      }
    }
  }
}

function isIncluded({ variableValues }: Operation, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.if !== true && include?.if !== false;
}

function matchesTypeCondition(
  { schema }: Operation,
  condition: string | undefined,
  type: GraphQLObjectType,
): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
}
