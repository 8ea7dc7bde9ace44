import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Fields, fieldsOf, isWhole, mergeFields } from './rest/fields.ts';
import { traitsOf } from './traits.ts';

/** What is needed to read a selection, before execution or during it. */
export interface Operation {
  readonly schema: GraphQLSchema;
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode | undefined };
  readonly variableValues: { readonly [name: string]: unknown };
}

/** Rows of one list share their field nodes, so a selection is read once, not once a row. */
const known = new WeakMap<readonly FieldNode[], Map<GraphQLNamedType, Fields>>();

/** The REST fields that the selection below a field asks for, seen as a selection on `type`. */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Fields {
  const byType = known.get(info.fieldNodes) ?? new Map<GraphQLNamedType, Fields>();
  known.set(info.fieldNodes, byType);
  let fields = byType.get(type);
  if (fields === undefined) {
    fields = isObjectType(type) ? readFieldNodes(info, type, info.fieldNodes) : {};
    byType.set(type, fields);
  }
  return fields;
}

function readFieldNodes(operation: Operation, type: GraphQLObjectType, nodes: readonly FieldNode[]): Fields {
  return nodes.reduce<Fields>(
    (fields, { selectionSet }) =>
      selectionSet ? mergeFields(fields, readSelectionSet(operation, type, selectionSet)) : fields,
    {},
  );
}

function readSelectionSet(operation: Operation, type: GraphQLObjectType, set: SelectionSetNode): Fields {
  let fields: Fields = {};
  for (const node of fieldNodesIn(operation, type, set)) {
    const field = type.getFields()[node.name.value];
    if (field) fields = mergeFields(fields, readField(operation, field, node));
  }
  return fields;
}

function readField(operation: Operation, field: GraphQLField<unknown, unknown>, node: FieldNode): Fields {
  const { needs, sameRecord } = traitsOf(field);
  const type = getNamedType(field.type);
  if (sameRecord && isObjectType(type)) return readFieldNodes(operation, type, [node]);

  const name = restName(field);
  if (name === undefined) return fieldsOf(needs ?? []);
  if (!isObjectType(type)) return fieldsOf([name]);
  const members = readFieldNodes(operation, type, [node]);
  return { [name]: isWhole(members) ? oneMember(type) : members };
}

/** Pothos notes which property a field exposes, so the type definition is itself the table of names. */
function restName(field: GraphQLField<unknown, unknown>): string | undefined {
  const { pothosExposedField } = field.extensions;
  return typeof pothosExposedField === 'string' ? pothosExposedField : undefined;
}

/** For an object of which only `__typename` is asked: something must be named, so its first field is. */
function oneMember(type: GraphQLObjectType): Fields {
  const [first] = Object.values(type.getFields()).map(restName);
  return first === undefined ? {} : fieldsOf([first]);
}

/** The fields that a selection on an object type really selects: fragments opened, directives obeyed. */
export function* fieldNodesIn(
  operation: Operation,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  visited: Set<string> = new Set(),
): Generator<FieldNode> {
  for (const node of set.selections) {
    if (!isIncluded(operation, node)) continue;
    if (node.kind === 'Field') {
      yield node;
    } else if (node.kind === 'InlineFragment') {
      if (applies(operation, node.typeCondition?.name.value, type)) {
        yield* fieldNodesIn(operation, type, node.selectionSet, visited);
      }
    } else if (!visited.has(node.name.value)) {
      visited.add(node.name.value);
      const fragment = operation.fragments[node.name.value];
      if (fragment && applies(operation, fragment.typeCondition.name.value, type)) {
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

function applies({ schema }: Operation, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named: GraphQLNamedType | undefined = schema.getType(condition);
  return isCompositeType(named) && isSuper(schema, named, type);
}

function isSuper(schema: GraphQLSchema, named: GraphQLCompositeType, type: GraphQLObjectType): boolean {
  return isAbstractType(named) && schema.isSubType(named, type);
}
