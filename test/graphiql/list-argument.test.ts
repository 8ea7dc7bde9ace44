import { expect, test } from 'vitest';
import { countRows } from '../../src/graphiql/download.ts';
import { buildCsvOperation, withListArgument } from '../../src/graphiql/list-argument.ts';

const rows = '{ nodes { name } }';

test.each([
  [`{ debtors(administrationId: "1") ${rows} }`, `{ debtors(administrationId: "1", after: "c") ${rows} }`],
  [`{ debtors ${rows} }`, `{ debtors(after: "c") ${rows} }`],
  [`{ a { debtors(after: "b" first: 2) ${rows} } }`, `{ a { debtors(after: "c" first: 2) ${rows} } }`],
  ['{ debtors { edges { node { id } } } }', '{ debtors(after: "c") { edges { node { id } } } }'],
  ['{ viewer { scopes } }', '{ viewer { scopes } }'],
])('the next page of %s is queried by %s', (query, changed) => {
  expect(withListArgument({ query }, 'after', 'c')).toEqual({ query: changed });
});

test('the next page changes the variable if its cursor is a variable', () => {
  const query = `query A ${rows} query B($after: String) { debtors(after: $after) ${rows} }`;
  const operation = { query, operationName: 'B', variables: { count: 10 } };
  const variables = { count: 10, after: 'c' };
  expect(withListArgument(operation, 'after', 'c')).toEqual({ ...operation, variables });
});

test.each([
  [`{ debtors(first: 10) ${rows} }`, `{ debtors(first: null) ${rows} }`, `{ debtors(first: 7) ${rows} }`],
  [`{ debtors ${rows} }`, `{ debtors ${rows} }`, `{ debtors(first: 7) ${rows} }`],
  [
    `{ debtors(after: "c", first: 10) ${rows} }`,
    `{ debtors(after: null, first: null) ${rows} }`,
    `{ debtors(after: "c", first: 7) ${rows} }`,
  ],
  ['{ a { nodes { b } totals { count } } }', '{ a { nodes { b } } }', '{ a(first: 7) { nodes { b } } }'],
  [
    '{ a { all: totals { count } groups(by: B) { key totals { count } } } }',
    '{ a { groups(by: B) { key totals { count } } } }',
    '{ a { groups(by: B, first: 7) { key totals { count } } } }',
  ],
])('to save %s as CSV, the page sends %s for the whole list and %s for seven rows', (query, whole, seven) => {
  const saved = (count: number | null) => buildCsvOperation({ query }, count).query.replace(/\s+/g, ' ');
  expect(saved(null)).toBe(whole);
  expect(saved(7)).toBe(seven);
});

test.each([
  ['a\r\n', 0],
  ['a,b\r\n1,2\r\n3,4\r\n', 2],
  ['a\r\n"1\r\n""2""\n"\r\n', 1],
])('the CSV %j has %d rows', (csv, count) => expect(countRows(csv)).toBe(count));
