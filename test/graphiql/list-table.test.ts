import { describe, expect, test } from 'vitest';
import { buildTable } from '../../src/graphiql/list-table.ts';

const nodesOf = (...nodes: unknown[]) => buildTable({ data: { debtors: { nodes } } });

describe('the result table', () => {
  test.each([
    ['nodes', { debtors: { nodes: [{ a: 1 }] } }],
    ['edges', { debtors: { edges: [{ node: { a: 1 } }] } }],
    ['groups', { debtors: { groups: [{ a: 1 }], totals: { count: 1 } } }],
    ['a list next to scalars', { viewer: { scopes: ['x'], administrations: [{ a: 1 }] } }],
  ])('shows a list: %s', (_case, data) => {
    expect(buildTable({ data })).toMatchObject({ columns: [{ name: 'a', isNumber: true }], rows: [['1']] });
  });

  test.each([
    ['no result', undefined],
    ['no list', { debtor: { name: 'A' } }],
    ['a list of strings', { viewer: { scopes: ['a'] } }],
    ['two lists', { a: { nodes: [{ x: 1 }] }, b: { nodes: [{ x: 1 }] } }],
    ['nodes and groups', { a: { nodes: [{ x: 1 }], groups: [{ key: 'x' }] } }],
  ])('does not exist: %s', (_case, data) => expect(buildTable({ data })).toBeUndefined());

  test.each([
    ['a page', { pageInfo: { hasNextPage: true, endCursor: 'c' } }, undefined, 'c'],
    ['the last page', { pageInfo: { hasNextPage: false, endCursor: 'c' } }, undefined, undefined],
    ['a list with totals', { totals: { count: 7, a: { sum: '9.00' } } }, 7, undefined],
  ])('knows the count and the next page: %s', (_case, beside, count, endCursor) => {
    const debtors = { nodes: [{ a: 1 }], ...beside };
    expect(buildTable({ data: { debtors } })).toMatchObject({ count, endCursor });
  });
});

test.each([
  ['as many rows as asked for', '(first: 2) { nodes { a } }', { nodes: [{}, {}] }, true],
  ['fewer rows', '(first: 3) { nodes { a } }', { nodes: [{}, {}] }, false],
  [
    'the last page',
    '(first: 2) { nodes { a } }',
    { nodes: [{}, {}], pageInfo: { hasNextPage: false } },
    false,
  ],
  ['as many groups as asked for', '{ groups(first: 2) { key } }', { groups: [{}, {}] }, true],
  ['as many groups as by default', '{ groups { key } }', { groups: Array(100).fill({}) }, true],
  ['fewer groups', '{ groups(first: 3) { key } }', { groups: [{}, {}] }, false],
  ['a list without pages', '{ names { a } }', { names: Array(100).fill({}) }, false],
])('there may be more than the table shows: %s', (_case, selection, debtors, mayHaveMore) => {
  const operation = { query: `{ debtors${selection} }` };
  const graphiql = { advice: null, timing: null, operation };
  expect(buildTable({ data: { debtors }, extensions: { graphiql } })).toMatchObject({ mayHaveMore });
});

test('groups have no next page, since only records have cursors', () => {
  const debtors = { groups: [{ key: 'a' }], pageInfo: { hasNextPage: true, endCursor: 'c' } };
  expect(buildTable({ data: { debtors } })?.endCursor).toBeUndefined();
});

test('totals of a list with groups are shown next to the table', () => {
  const debtors = { groups: [{ key: 'a' }], totals: { count: 7, a: { sum: '9.00' } } };
  expect(buildTable({ data: { debtors } })).toMatchObject({
    isOfGroups: true,
    count: 7,
    totals: 'a.sum 9.00',
  });
});

describe('columns of the result table:', () => {
  test.each([
    ['nested objects have dotted names', [{ a: { b: 'x', c: { d: 'y' } } }], ['a.b', 'a.c.d'], [['x', 'y']]],
    ['strings are joined', [{ a: ['x', 'y'] }], ['a'], [['x; y']]],
    ['objects of a list are joined by field', [{ a: [{ b: 'x' }, { b: 'y' }] }], ['a.b'], [['x; y']]],
    ['an object that is null has no column', [{ a: null }, { a: { b: 'x' } }], ['a.b'], [[''], ['x']]],
    ['what is null everywhere has one', [{ a: null, b: 'x' }], ['a', 'b'], [[null, 'x']]],
    [
      'an empty list keeps its place',
      [
        { a: [], b: 'x' },
        { a: [{ c: 'y' }], b: 'z' },
      ],
      ['a.c', 'b'],
      [
        ['', 'x'],
        ['y', 'z'],
      ],
    ],
    ['a list that is always empty has one', [{ a: [], b: 'x' }], ['a', 'b'], [['', 'x']]],
    ['a broken row is empty', [null, { a: 'x' }], ['a'], [[''], ['x']]],
  ])('%s', (_case, nodes, names, rows) => {
    const table = nodesOf(...nodes);
    expect(table?.columns.map(({ name }) => name)).toEqual(names);
    expect(table?.rows).toEqual(rows);
  });

  test('they cover all events of a subscription', () => {
    const operation = { query: 'subscription { changes { kind cursor } }' };
    const events = ['2', '1'].map((kind) => ({ data: { changes: { kind, cursor: 'c' } } }));
    const notes = { advice: null, timing: null, operation, events };
    expect(buildTable({ extensions: { graphiql: notes } })).toMatchObject({
      rows: [['2'], ['1']],
      mayHaveMore: false,
    });
  });

  test('they are those of the CSV for edges and groups', () => {
    const namesOf = (debtors: object) => buildTable({ data: { debtors } })?.columns.map(({ name }) => name);
    const totals = { count: 1, bookOpenAmount: { sum: '2.00' } };
    expect(namesOf({ edges: [{ cursor: 'c', node: { a: 'x' } }] })).toEqual(['cursor', 'a']);
    expect(namesOf({ groups: [{ key: 'a', thenKey: 'b', totals }] })).toEqual([
      'key',
      'thenKey',
      'count',
      'bookOpenAmount.sum',
    ]);
  });

  test.each([
    ['numbers', [1, 2, null], true],
    ['amounts', ['-6213.78', '0', null], true],
    ['ids that are only digits', ['700001', '700004'], false],
    ['amounts and words', ['1.00', 'n/a'], false],
  ])('they show numbers: %s', (_case, values, isNumber) => {
    expect(nodesOf(...values.map((a) => ({ a })))?.columns).toEqual([{ name: 'a', isNumber }]);
  });
});
