import * as graphql from 'graphql';

type Field = graphql.GraphQLField<unknown, unknown>;
type Input = Pick<graphql.GraphQLArgument, 'name' | 'type'> & { readonly defaultValue?: unknown };
type ChildNode = graphql.SelectionNode | graphql.ArgumentNode | graphql.ObjectFieldNode;

/** A field, an argument, a member of an input object, or a type for a fragment. */
export type Item = Field | graphql.GraphQLArgument | graphql.GraphQLInputField | graphql.GraphQLObjectType;

/** The selections or arguments of a node, or the members of an object. */
interface NodeList {
  readonly nodes: readonly ChildNode[];
  /** Where an empty list is written, and how. */
  readonly start: number;
  readonly write: (text: string) => string;
  /** The only node is removed with this text, if the list cannot be empty. */
  readonly whole?: { readonly start: number; readonly end: number } | undefined;
}

export function getSelections(parent: graphql.OperationDefinitionNode | graphql.SelectionNode): NodeList {
  const set = 'selectionSet' in parent ? parent.selectionSet : undefined;
  const whole = parent.kind === graphql.Kind.FIELD ? set?.loc : parent.loc;
  const write = (text: string) => ` {\n  ${text}\n}`;
  return { nodes: set?.selections ?? [], start: parent.loc?.end ?? 0, write, whole };
}

export function getArguments({ name, arguments: nodes = [], loc }: graphql.FieldNode): NodeList {
  const start = name.loc?.end ?? 0;
  const close = loc?.source.body.indexOf(')', nodes.at(-1)?.loc?.end) ?? start;
  return { nodes, start, write: (text) => `(${text})`, whole: { start, end: close + 1 } };
}

export function getObjectFields({ fields, loc }: graphql.ObjectValueNode): NodeList {
  return { nodes: fields, start: (loc?.start ?? 0) + 1, write: (text) => text };
}

/** Adds a node after the others: on a line of its own if the last one has one. */
export function addNode(query: string, { nodes, start, write }: NodeList, text: string): string {
  const last = nodes.at(-1);
  const { start: lastStart, end } = last?.loc ?? { start, end: start };
  const [, indent = '', before] = /(?:^|\n)([ \t]*)(.*)$/.exec(query.slice(0, lastStart)) ?? [];
  const [comment = ''] = (last && /^[ \t,]*#.*/.exec(query.slice(end))) ?? [];
  let added = last ? `\n${text}` : write(text);
  if (last && before && !comment) added = ('value' in last ? ', ' : ' ') + text;
  const indented = comment + added.replaceAll('\n', `\n${indent}`);
  return query.slice(0, end) + indented + query.slice(end + comment.length);
}

/** Removes a node, and its line if nothing else is on it. Comments stay. */
export function removeNode(query: string, { nodes, whole }: NodeList, node: ChildNode): string {
  const { start = 0, end = 0 } = (nodes.length === 1 && whole) || (node.loc ?? {});
  const before = query.slice(0, start);
  const after = query.slice(end).replace(node === nodes[0] ? /^, */ : '', '');
  // A name must not join the one before.
  if (/^\w/.test(after)) return before + after;
  const isLineEnd = /^[ \t]*(?:[#\n]|$)/.test(after);
  return before.replace(isLineEnd ? /[\s,]*$/ : /[ \t,]*$/, '') + after;
}

export function replaceNode(query: string, { loc }: graphql.ASTNode, text: string): string {
  return query.slice(0, loc?.start) + text + query.slice(loc?.end);
}

/** Writes an item for a query, with what it requires. `id` is the administration, as GraphQL text. */
export function writeItem(item: Item, id: string): string {
  if (graphql.isObjectType(item)) return `... on ${item.name} { __typename }`;
  if (!('args' in item)) return `${item.name}: ${writeValue(item, id)}`;
  // The top records of a group need an order: without one, they are any of its records.
  const args = item.args.filter((arg) => item.name === 'top' || graphql.isRequiredArgument(arg));
  return args.length > 0 ? `${item.name}(${args.map((arg) => writeItem(arg, id)).join(', ')})` : item.name;
}

function writeValue({ name, type, defaultValue }: Input, id: string): string {
  const nullable = graphql.getNullableType(type);
  if (graphql.isListType(nullable)) return `[${writeValue({ name, type: nullable.ofType }, id)}]`;
  if (graphql.isEnumType(nullable)) {
    const names = nullable.getValues().map((value) => value.name);
    // Most users who choose an order look for the largest amounts.
    return names.find((each) => /^DESC$|AMOUNT/.test(each)) ?? names[0] ?? 'null';
  }
  if (!graphql.isInputObjectType(nullable)) {
    const timeZone = JSON.stringify(Intl.DateTimeFormat().resolvedOptions().timeZone);
    const byType = { Boolean: 'true', Int: String(defaultValue ?? 1) }[nullable.name] ?? '""';
    return { administrationId: id, first: '10', timeZone }[name] ?? byType;
  }
  const members = Object.values(nullable.getFields());
  const required = members.filter((each) => graphql.isRequiredInputField(each) || each.name === 'direction');
  // Introspection does not show that exactly one member is required, so a required object gets its first one.
  const first = graphql.isNonNullType(type) && required.length === 0 ? members.slice(0, 1) : required;
  return `{${first.map((member) => writeItem(member, id)).join(', ')}}`;
}

/** Returns the fields of a type, lists of records first, and the types that fragments can select. */
export function getItems(type: graphql.GraphQLNamedType, schema: graphql.GraphQLSchema): Item[] {
  const fields: Field[] = 'args' in type || !('getFields' in type) ? [] : Object.values(type.getFields());
  const isList = ({ type }: Field) => String(type).includes('Connection');
  const types = graphql.isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  return [...fields.sort((a, b) => Number(isList(b)) - Number(isList(a))), ...types];
}

/** Returns what a field selects if the user has not chosen its fields. */
export function getDefaultFieldNames(type: graphql.GraphQLType): string[] {
  const fields: Field[] = 'getFields' in type ? Object.values(type.getFields()) : [];
  const usable = fields.filter(({ args }) => !args.some(graphql.isRequiredArgument));
  const leaf = usable.find((field) => graphql.isLeafType(graphql.getNamedType(field.type)));
  const has = (name: string) => usable.some((each) => each.name === name);
  const choices = [['nodes', 'pageInfo'], ['hasNextPage', 'endCursor'], ['name'], ['internalId']];
  return choices.find((names) => names.every(has)) ?? [leaf?.name ?? '__typename'];
}
