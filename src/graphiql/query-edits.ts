import * as graphql from 'graphql';
import { Kind } from 'graphql';

export type Input = graphql.GraphQLArgument | graphql.GraphQLInputField;
export type InputNode = graphql.ArgumentNode | graphql.ObjectFieldNode;
type Field = graphql.GraphQLField<unknown, unknown>;

/** Returns a field with its required arguments and a first subfield. `id` is the administration, as GraphQL text. */
export function createField({ name, args, type }: Field, id: string): graphql.FieldNode {
  const named = graphql.getNamedType(type);
  const fields = sortFields(named).filter((field) => !field.args.some(graphql.isRequiredArgument));
  const [first] = ['nodes', 'name', 'internalId'].flatMap((name) => fields.filter((f) => f.name === name));
  const inner = first ?? fields.find((field) => graphql.isLeafType(graphql.getNamedType(field.type)));
  const selections = [inner ? createField(inner, id) : createNode(Kind.FIELD, '__typename')];
  return {
    ...createNode(Kind.FIELD, name),
    arguments: args.filter(graphql.isRequiredArgument).map((arg) => createInput(Kind.ARGUMENT, arg, id)),
    ...(!graphql.isLeafType(named) && { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
  };
}

export function createFragment({ name }: graphql.GraphQLObjectType): graphql.InlineFragmentNode {
  const selections = [createNode(Kind.FIELD, '__typename')];
  const selectionSet = { kind: Kind.SELECTION_SET, selections } as const;
  return { kind: Kind.INLINE_FRAGMENT, typeCondition: createNode(Kind.NAMED_TYPE, name), selectionSet };
}

/** Returns an argument or a member of an input object with a first value. */
export function createInput<K extends InputNode['kind']>(kind: K, { name, type }: Input, id: string) {
  const value = name === 'administrationId' ? id : writeValue(type, id);
  return { ...createNode(kind, name), value: graphql.parseValue(value) };
}

function createNode<K extends Kind>(kind: K, name: string) {
  return { kind, name: { kind: Kind.NAME, value: name } } as const;
}

function writeValue(type: graphql.GraphQLInputType, id: string): string {
  const nullable = graphql.getNullableType(type);
  if (graphql.isListType(nullable)) return `[${writeValue(nullable.ofType, id)}]`;
  if (graphql.isEnumType(nullable)) return nullable.getValues()[0]?.name ?? 'null';
  if (!graphql.isInputObjectType(nullable)) return { Boolean: 'true', Int: '1' }[nullable.name] ?? '""';
  const members = Object.values(nullable.getFields());
  const required = members.filter(graphql.isRequiredInputField);
  // Introspection does not show that exactly one member is required, so a required object gets its first one.
  const first = graphql.isNonNullType(type) && required.length === 0 ? members.slice(0, 1) : required;
  return `{${first.map((member) => graphql.print(createInput(Kind.OBJECT_FIELD, member, id)))}}`;
}

/** Returns the fields of a type: lists first, and their records before the rest. */
export function sortFields(type: graphql.GraphQLNamedType): Field[] {
  if (!graphql.isObjectType(type) && !graphql.isInterfaceType(type)) return [];
  const isList = ({ name, type }: Field) => {
    const named = graphql.getNamedType(type);
    return graphql.isObjectType(named) && (name === 'nodes' || named.name.endsWith('Connection'));
  };
  return Object.values(type.getFields()).sort((a, b) => Number(isList(b)) - Number(isList(a)));
}

/** Replaces the text of a node, or appends an operation. The layout and comments of the other nodes stay. */
export function replaceNode(query: string, { loc }: graphql.ASTNode, next: graphql.ASTNode): string {
  const { start = query.length, end = query.length } = loc ?? {};
  const before = query.slice(0, start);
  const [indent = ''] = /(?<=^|\n)[ \t]*(?=[^\n]*$)/.exec(before) ?? [];
  const isEmpty = next.kind === Kind.OPERATION_DEFINITION && next.selectionSet.selections.length === 0;
  const text = isEmpty ? '' : graphql.print(next).replaceAll('\n', `\n${indent}`);
  return `${loc ? before : before.replace(/[^\n]$/, '$&\n')}${text}${query.slice(end)}`;
}

/** Returns the operations of a query; undefined if it has a syntax error. */
export function parseOperations(query: string): graphql.OperationDefinitionNode[] | undefined {
  try {
    // With the fragment, the query may be empty.
    const { definitions } = graphql.parse(`${query}\nfragment Any on Any { any }`);
    return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  } catch {
    return undefined;
  }
}
