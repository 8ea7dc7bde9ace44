import { assertObjectType, Kind, parse, print, validate } from 'graphql';
import { expect, test } from 'vitest';
import {
  createField,
  createFragment,
  createInput,
  parseOperations,
  replaceNode,
  sortFields,
} from '../../src/graphiql/query-edits.ts';
import { schema } from '../../src/schema/index.ts';

const ID = '"1001"';

function fieldOf(type: string, name: string) {
  const field = assertObjectType(schema.getType(type)).getFields()[name];
  if (!field) throw new Error(`${type} has no field ${name}.`);
  return field;
}

const ROOT_FIELDS = ['Query', 'Mutation', 'Subscription'].flatMap((type) =>
  sortFields(assertObjectType(schema.getType(type))).map(({ name }): [string, string] => [type, name]),
);

test.each(ROOT_FIELDS)('the field %s.%s is valid as it is added', (type, name) => {
  const query = `${type.toLowerCase()} { ${print(createField(fieldOf(type, name), ID))} }`;
  expect(validate(schema, parse(query))).toEqual([]);
});

test.each([
  ['Query', 'debtors', '{debtors(administrationId:"1001"){nodes{name}}}'],
  ['Query', 'debtor', '{debtor(administrationId:"1001" by:{id:""}){name}}'],
  ['Query', 'node', '{node(id:""){id}}'],
  ['Debtor', 'labels', '{labels{name}}'],
  ['Debtor', 'name', '{name}'],
])('the field %s.%s gets its required arguments and a first field', (type, name, query) => {
  expect(print(parse(`{${print(createField(fieldOf(type, name), ID))}}`))).toBe(print(parse(query)));
});

test.each([
  ['where', 'where: {}'],
  ['orderBy', 'orderBy: [{field: INTERNAL_ID}]'],
  ['first', 'first: 1'],
  ['ids', 'ids: [""]'],
  ['administrationId', 'administrationId: "1001"'],
])('the argument %s is added as %s', (name, text) => {
  const input = fieldOf('Query', 'debtors').args.find((arg) => arg.name === name);
  expect(input && print(createInput(Kind.ARGUMENT, input, ID))).toBe(text);
});

test('lists are the first root fields', () => {
  const names = sortFields(assertObjectType(schema.getType('Query'))).map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['debtors', 'declarationLines']);
});

test('a changed operation keeps the text around it, and one without fields is removed', () => {
  const query = '# mine\nquery A {\n  a # too\n}\nquery B { b }';
  const [first] = parseOperations(query) ?? [];
  if (!first) throw new Error('There is no operation.');
  const set = (...selections: ReturnType<typeof createFragment>[]) =>
    replaceNode(query, first, { ...first, selectionSet: { kind: Kind.SELECTION_SET, selections } });
  const fragment = createFragment(assertObjectType(schema.getType('Debtor')));
  expect(set()).toBe('# mine\n\nquery B { b }');
  expect(set(fragment)).toBe('# mine\nquery A {\n  ... on Debtor {\n    __typename\n  }\n}\nquery B { b }');
});

test('a new operation is appended on a line of its own', () => {
  const [operation] = parseOperations('{ a }') ?? [];
  if (!operation) throw new Error('There is no operation.');
  const { loc, ...added } = operation;
  expect(replaceNode('', added, added)).toBe('{\n  a\n}');
  expect(replaceNode('# mine', added, added)).toBe('# mine\n{\n  a\n}');
});

test.each([
  ['', 0],
  ['# nothing\n', 0],
  ['{ a } fragment F on A { b }', 1],
  ['{ a', undefined],
])('the document %j has %j operations', (query, count) => expect(parseOperations(query)?.length).toBe(count));
