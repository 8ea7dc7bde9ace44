import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareDecimalTexts, orderRows, tableOf } from '../../src/graphiql/list-table.ts';

const nodesOf = (...nodes: unknown[]) => tableOf(JSON.stringify({ data: { debtors: { nodes } } }));
const namesOf = (...nodes: unknown[]) => nodesOf(...nodes)?.columns.map(({ name }) => name);

describe('the list of an answer', () => {
  test.each([
    ['nodes', { debtors: { nodes: [{ a: 1 }] } }],
    ['edges with a cursor', { debtors: { edges: [{ node: { a: 1 } }] } }],
    ['a list deep inside', { administration: { debtors: { nodes: [{ a: 1 }] } } }],
    ['groups', { debtors: { groups: [{ a: 1 }], totals: { count: 1 } } }],
    ['a list beside texts', { viewer: { scopes: ['x'], administrations: [{ a: 1 }] } }],
  ])('is found: %s', (_case, data) => {
    expect(tableOf(JSON.stringify({ data }))).toMatchObject({
      columns: [{ name: 'a', isNumber: true }],
      rows: [['1']],
    });
  });

  test.each([
    ['no answer yet', ''],
    ['an answer that is no JSON', 'nonsense'],
    ['a refusal', '{"errors":[{"message":"No."}]}'],
    ['no data', '{"data":null}'],
    ['no list', '{"data":{"debtor":{"name":"A"}}}'],
    ['a list of texts', '{"data":{"viewer":{"scopes":["a"]}}}'],
    ['two lists', '{"data":{"a":{"nodes":[{"x":1}]},"b":{"nodes":[{"x":1}]}}}'],
    ['nodes and groups', '{"data":{"a":{"nodes":[{"x":1}],"groups":[{"key":"x"}]}}}'],
  ])('is none: %s', (_case, response) => expect(tableOf(response)).toBeUndefined());

  test('may be empty', () => expect(nodesOf()).toMatchObject({ columns: [], rows: [] }));
});

test.each([
  ['a page', { nodes: [{ a: 1 }], pageInfo: { hasNextPage: true, endCursor: 'c' } }, null, 'c'],
  ['the last page', { nodes: [{ a: 1 }], pageInfo: { hasNextPage: false, endCursor: 'c' } }, null, null],
  ['a list with totals', { nodes: [{ a: 1 }], totals: { count: 7 } }, 7, null],
  ['groups, whose totals count records', { groups: [{ a: 1 }], totals: { count: 7 } }, null, null],
])('how much more there is: %s', (_case, debtors, total, endCursor) => {
  expect(tableOf(JSON.stringify({ data: { debtors } }))).toMatchObject({ total, endCursor });
});

test('groups have the columns of their CSV', () => {
  const groups = [{ key: 'a', thenKey: 'b', totals: { count: 1, bookOpenAmount: { sum: '2.00' } } }];
  const table = tableOf(JSON.stringify({ data: { debtors: { groups } } }));
  expect(table?.columns.map(({ name }) => name)).toEqual(['key', 'thenKey', 'count', 'bookOpenAmount.sum']);
  expect(table?.rows).toEqual([['a', 'b', '1', '2.00']]);
});

describe('columns', () => {
  test.each([
    ['nested objects are dotted', [{ a: { b: 'x', c: { d: 'y' } } }], ['a.b', 'a.c.d'], [['x', 'y']]],
    ['texts are joined', [{ a: ['x', 'y'] }], ['a'], [['x; y']]],
    ['objects of a list are joined by field', [{ a: [{ b: 'x' }, { b: 'y' }] }], ['a.b'], [['x; y']]],
    [
      'an object that is null has no column of its own',
      [{ a: null }, { a: { b: 'x' } }],
      ['a.b'],
      [[null], ['x']],
    ],
    ['what is null everywhere has one', [{ a: null, b: 'x' }], ['a', 'b'], [[null, 'x']]],
    ['a broken row is empty', [null, { a: 'x' }], ['a'], [[null], ['x']]],
    ['truths are words', [{ a: true, b: false }], ['a', 'b'], [['true', 'false']]],
  ])('%s', (_case, nodes, names, rows) => {
    expect(namesOf(...nodes)).toEqual(names);
    expect(nodesOf(...nodes)?.rows).toEqual(rows);
  });

  test('have the cursor of an edge beside its record', () => {
    const edges = [{ cursor: 'c', node: { a: 'x' } }];
    const table = tableOf(JSON.stringify({ data: { debtors: { edges } } }));
    expect(table?.columns.map(({ name }) => name)).toEqual(['cursor', 'a']);
  });

  test.each([
    ['numbers', [1, 2, null], true],
    ['amounts', ['-6213.78', '0', null], true],
    ['ids, which are digits alone', ['700001', '700004'], false],
    ['amounts and words', ['1.00', 'n/a'], false],
    ['moments', ['2024-11-19T23:50:13.5Z'], false],
    ['lists of amounts', [['1.00', '2.00']], false],
    ['nothing', [null], false],
  ])('are numbers: %s', (_case, values, isNumber) => {
    expect(nodesOf(...values.map((a) => ({ a })))?.columns).toEqual([{ name: 'a', isNumber }]);
  });
});

describe('rows in another order', () => {
  const sorted = (values: readonly unknown[], isDescending: boolean) => {
    const table = nodesOf(...values.map((a) => ({ a })));
    return table && orderRows(table, { column: 0, isDescending }).flat();
  };

  test.each([
    [
      'amounts exactly',
      ['10.00', '9.5', '-1', '9007199254740993.02', '9007199254740993.01'],
      [2, 1, 0, 4, 3],
    ],
    ['texts without case and accents', ['b', 'Änne', 'anna', 'C'], [2, 1, 0, 3]],
    ['numbers within texts', ['D10', 'D9', 'D100'], [1, 0, 2]],
  ])('%s', (_case, values, order) => {
    expect(sorted(values, false)).toEqual(order.map((index) => values[index]));
    expect(sorted(values, true)).toEqual(order.toReversed().map((index) => values[index]));
  });

  test('have those without a value last, both ways', () => {
    expect(sorted([null, 'b', null, 'a'], false)).toEqual(['a', 'b', null, null]);
    expect(sorted([null, 'b', null, 'a'], true)).toEqual(['b', 'a', null, null]);
  });

  test('keep the order of the answer where they are equal, both ways', () => {
    const table = nodesOf({ a: 'x', b: '1' }, { a: 'X', b: '2' });
    for (const isDescending of [true, false])
      expect(table && orderRows(table, { column: 0, isDescending })).toEqual(table?.rows);
  });
});

test('decimals compare as whole numbers of their smallest part do', () => {
  const decimal = fc.tuple(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.integer({ min: 0, max: 4 }),
  );
  fc.assert(
    fc.property(decimal, decimal, ([one, digits], [other, others]) => {
      const [left, right] = [one * 10n ** BigInt(4 - digits), other * 10n ** BigInt(4 - others)];
      const expected = left < right ? -1 : Number(left > right);
      expect(compareDecimalTexts(written(one, digits), written(other, others))).toBe(expected);
    }),
  );
});

function written(value: bigint, digits: number): string {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return value < 0n ? `-${whole}` : whole;
}
