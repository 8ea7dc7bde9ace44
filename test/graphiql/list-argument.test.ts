import { expect, test } from 'vitest';
import { countRows } from '../../src/graphiql/download.ts';
import {
  listArgument,
  mostGroups,
  withListArgument,
  withoutTotals,
} from '../../src/graphiql/list-argument.ts';

const rows = '{ nodes { name } }';

test.each([
  [`{ debtors(administrationId: "1") ${rows} }`, `{ debtors(after: "c", administrationId: "1") ${rows} }`],
  [`{ debtors ${rows} }`, `{ debtors(after: "c") ${rows} }`],
  [`{ a { debtors(after: "b" first: 2) ${rows} } }`, `{ a { debtors(after: "c" first: 2) ${rows} } }`],
  ['{ debtors { edges { node { id } } } }', '{ debtors(after: "c") { edges { node { id } } } }'],
  ['{ viewer { scopes } }', '{ viewer { scopes } }'],
])('%s with a cursor is %s', (query, changed) => {
  expect(withListArgument({ query }, 'after', 'c')).toEqual({ query: changed });
});

test('an argument that is a variable is changed there', () => {
  const query = `query A { a } query B($after: String, $count: Int) { debtors(after: $after, first: $count) ${rows} }`;
  const operation = { query, operationName: 'B', variables: { count: 10 } };
  expect(withListArgument(operation, 'after', 'c')).toEqual({
    ...operation,
    variables: { count: 10, after: 'c' },
  });
  expect(withListArgument(operation, 'first', null)).toEqual({ ...operation, variables: { count: null } });
  expect(listArgument(operation, 'first')).toBe(10);
});

test('a list is whole without `first`', () => {
  const query = `{ debtors(first: 10) ${rows} }`;
  expect(listArgument({ query }, 'first')).toBe(10);
  expect(listArgument({ query }, 'after')).toBeUndefined();
  expect(withListArgument({ query }, 'first', null)).toEqual({ query: `{ debtors(first: null) ${rows} }` });
  expect(withListArgument({ query }, 'after', null)).toEqual({ query });
});

test('groups are all of them without `first`', () => {
  const query = (first: number | null) =>
    `{ debtors(where: {}) { groups(by: NAME, first: ${first}) { key } } }`;
  expect(listArgument({ query: query(10) }, 'first')).toBe(10);
  expect(withListArgument({ query: query(10) }, 'first', null)).toEqual({ query: query(null) });
});

test.each([
  ['{ debtors { groups(by: NAME) { key } } }', 100],
  ['{ debtors { groups(by: NAME, first: 10) { key } } }', 10],
  ['query ($most: Int = 7) { debtors { byName: groups(by: NAME, first: $most) { key } } }', 7],
  [`{ debtors(first: 10) ${rows} }`, undefined],
])('%s asks for %s groups', (query, most) => expect(mostGroups({ query })).toBe(most));

test.each([
  ['{ a { nodes { b } totals { count } } }', '{ a { nodes { b } } }'],
  [
    '{ a { all: totals { count } groups(by: B) { key totals { count } } } }',
    '{ a { groups(by: B) { key totals { count } } } }',
  ],
  ['{ a { totals { count } } }', '{ a { totals { count } } }'],
])('%s is saved by %s', (query, saved) =>
  expect(withoutTotals({ query }).query.replace(/ +/g, ' ')).toBe(saved),
);

test.each([
  ['a\r\n', 0],
  ['a,b\r\n1,2\r\n3,4\r\n', 2],
  ['a\r\n"1\r\n""2""\n"\r\n', 1],
])('%j has %d rows', (csv, count) => expect(countRows(csv)).toBe(count));
