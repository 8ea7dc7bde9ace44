import { fillLeafs } from '@graphiql/toolkit';
import { assertObjectType, isInputObjectType, Kind, parse, print, validate } from 'graphql';
import { expect, test } from 'vitest';
import {
  addNode,
  getArguments,
  getDefaultFieldNames,
  getItems,
  getObjectFields,
  getSelections,
  type Item,
  removeNode,
  writeItem,
} from '../../src/graphiql/query-edits.ts';
import { schema } from '../../src/schema/index.ts';

const ID = '"1001"';
const fill = (query: string) => fillLeafs(schema, query, getDefaultFieldNames).result ?? '';

function itemsOf(type: string): readonly Item[] {
  return getItems(assertObjectType(schema.getType(type)), schema);
}

function fieldOf(type: string, name: string) {
  const field = assertObjectType(schema.getType(type)).getFields()[name];
  if (!field) throw new Error(`${type} has no field ${name}.`);
  return field;
}

const ROOT_FIELDS = ['Query', 'Mutation', 'Subscription'].flatMap((type) =>
  itemsOf(type).map((item): [string, string, Item] => [type, item.name, item]),
);

test.each(ROOT_FIELDS)('the field %s.%s is valid when it is added', (type, _name, item) => {
  const query = fill(`${type.toLowerCase()} { ${writeItem(item, ID)} }`);
  expect(validate(schema, parse(query))).toEqual([]);
});

test.each([
  ['Query', 'debtors', '{debtors(administrationId:"1001"){nodes{name}pageInfo{hasNextPage endCursor}}}'],
  ['Query', 'debtor', '{debtor(administrationId:"1001" by:{id:""}){name}}'],
  ['Query', 'viewer', '{viewer{clientId}}'],
])('the field %s.%s is added with its required arguments and a first field', (type, name, query) => {
  expect(print(parse(fill(`{${writeItem(fieldOf(type, name), ID)}}`)))).toBe(print(parse(query)));
});

test.each([
  ['where', 'where: {}'],
  ['orderBy', 'orderBy: [{field: BOOK_OPEN_AMOUNT, direction: DESC}]'],
  ['first', 'first: 10'],
  ['among', 'among: 10000'],
  ['ids', 'ids: [""]'],
  ['administrationId', 'administrationId: "1001"'],
])('the argument %s is added as %s', (name, text) => {
  const input = fieldOf('Query', 'debtors').args.find((arg) => arg.name === name);
  expect(input && writeItem(input, ID)).toBe(text);
});

test('the top records of groups are added with the largest amounts first', () => {
  const top = writeItem(fieldOf('DebtorGroup', 'top'), ID);
  expect(top).toBe('top(first: 10, orderBy: [{field: BOOK_OPEN_AMOUNT, direction: DESC}])');
});

test('the time zone of groups is added as that of the browser', () => {
  const timeZone = fieldOf('DebtorConnection', 'groups').args.find(({ name }) => name === 'timeZone');
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  expect(timeZone && writeItem(timeZone, ID)).toBe(`timeZone: "${zone}"`);
});

test('a condition on the administration is added as an object', () => {
  const where = schema.getType('DebtorWhere');
  const member = isInputObjectType(where) ? where.getFields().administrationId : undefined;
  expect(member && writeItem(member, ID)).toBe('administrationId: {}');
});

test('lists come first among root fields, and fragments last among fields of a type', () => {
  expect(itemsOf('Query').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['debtors', 'declarationLines']),
  );
  expect(itemsOf('Query')[0]?.name).toBe('debtors');
  const node = schema.getType('Node');
  const items = node && getItems(node, schema).map((item) => writeItem(item, ID));
  expect(items?.slice(0, 2)).toEqual(['id', '... on Administration { __typename }']);
});

/** Returns the lists of the field `a` in a query, and of its first argument. */
function listsOf(query: string) {
  const [operation] = parse(query).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no operation.');
  const [field] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD) throw new Error('There is no field.');
  const value = field.arguments?.[0]?.value;
  const members = value?.kind === Kind.OBJECT ? getObjectFields(value) : undefined;
  return {
    operation: getSelections(operation),
    selections: getSelections(field),
    arguments: getArguments(field),
    members: members ?? getArguments(field),
  };
}

test.each([
  ['selections', '{ a }', 'c', '{ a {\n  c\n} }'],
  ['selections', '{\n  a\n}', 'c', '{\n  a {\n    c\n  }\n}'],
  ['selections', '{ a { b } }', 'c', '{ a { b c } }'],
  ['selections', '{ a { b # mine\n} }', 'c', '{ a { b # mine\nc\n} }'],
  ['selections', '{\n  a {\n    # mine\n    b\n  }\n}', 'c', '{\n  a {\n    # mine\n    b\n    c\n  }\n}'],
  ['selections', '{\n  a {\n    b # mine\n  }\n}', 'c', '{\n  a {\n    b # mine\n    c\n  }\n}'],
  ['operation', '{\n  a # mine\n}', 'c', '{\n  a # mine\n  c\n}'],
  ['arguments', '{ a }', 'c: 1', '{ a(c: 1) }'],
  ['arguments', '{ a(b: 1) { d } }', 'c: 1', '{ a(b: 1, c: 1) { d } }'],
  ['arguments', '{ a(\n  b: 1\n) }', 'c: 1', '{ a(\n  b: 1\n  c: 1\n) }'],
  ['members', '{ a(b: {}) }', 'c: 1', '{ a(b: {c: 1}) }'],
  ['members', '{ a(b: {d: 1}) }', 'c: 1', '{ a(b: {d: 1, c: 1}) }'],
] as const)('adding to the %s of %j the node %s', (list, query, text, changed) => {
  expect(addNode(query, listsOf(query)[list], text)).toBe(changed);
});

test.each([
  ['selections', '{ a { b c } }', 0, '{ a { c } }'],
  ['selections', '{ a { b c } }', 1, '{ a { b } }'],
  ['selections', '{ a { b } }', 0, '{ a }'],
  ['selections', '{a{b{d}c}}', 0, '{a{c}}'],
  ['selections', '{a{b c{d}e}}', 1, '{a{b e}}'],
  ['selections', '{\n  a {\n    b # of b\n    c\n  }\n}', 1, '{\n  a {\n    b # of b\n  }\n}'],
  ['selections', '{ a { b # of b\n c } }', 1, '{ a { b # of b\n } }'],
  ['operation', '# mine\nquery A {\n  a\n}', 0, '# mine'],
  ['operation', '{\n  # mine\n  a\n  c\n}', 0, '{\n  # mine\n  c\n}'],
  ['arguments', '{ a(b: 1) { d } }', 0, '{ a { d } }'],
  ['arguments', '{ a(b: 1, c: 2) { d } }', 0, '{ a(c: 2) { d } }'],
  ['arguments', '{ a(b: 1, c: 2) { d } }', 1, '{ a(b: 1) { d } }'],
  ['members', '{ a(b: {c: 1}) }', 0, '{ a(b: {}) }'],
] as const)('removing from the %s of %j node %d', (list, query, index, changed) => {
  const lists = listsOf(query)[list];
  const node = lists.nodes[index];
  if (!node) throw new Error('There is no such node.');
  expect(removeNode(query, lists, node)).toBe(changed);
});
