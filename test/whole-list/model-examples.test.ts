import { describe, expect, test } from 'vitest';
import { present } from '../support/present.ts';
import { decimalText, fractionOf, ZERO } from './fractions.ts';
import { LISTS } from './lists.ts';
import { filterRows, groupsOf, orderRows, type Row, totalsOf } from './model.ts';
import { groupFields, orderFields } from './paths.ts';
import { Texts } from './values.ts';
import type { Where } from './where.ts';

const debtors = present(LISTS.find(({ name }) => name === 'debtors'));
const english = new Texts('en');

const orderField = (name: string) => present(orderFields(debtors).find((field) => field.name === name));
const groupField = (name: string) => present(groupFields(debtors).find((field) => field.name === name));
const rowsOf = (name: string, ...values: readonly unknown[]): Row[] =>
  values.map((value, index) => ({ id: String(index), [name]: value }));
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id).join(' ');

test.each([
  ['0.125', 2, '0.12'],
  ['0.135', 2, '0.14'],
  ['-0.125', 2, '-0.12'],
  ['-0.005', 2, '0.00'],
  ['-0.0051', 2, '-0.01'],
  ['.5', 0, '0'],
  ['1.5', 0, '2'],
  ['+1.50', 1, '1.5'],
  ['-0', 0, '0'],
  ['12345678901234567890123456789.5', 1, '12345678901234567890123456789.5'],
])('%s with %i decimals is %s', (text, scale, expected) => {
  expect(decimalText(fractionOf(text) ?? ZERO, scale)).toBe(expected);
});

test.each(['', '.', '1e5', 'abc', '--1', '1,5', ' 1', '1.2.3'])('%j is no decimal', (text) => {
  expect(fractionOf(text)).toBeNull();
});

test.each([
  ['Café', 'contains', 'FE', true],
  ['Cafe\u0301', 'contains', 'fé', true],
  ['Straße', 'contains', 'SS', true],
  ['Straße', 'contains', 'ase', false],
  ['Straße', 'startsWith', 'stras', true],
  ['İzmir', 'startsWith', 'iz', true],
  ['中国', 'contains', '国', true],
  ['中国', 'startsWith', '国', false],
  ['', 'contains', '', true],
  ['a🙂b', 'contains', '🙂', true],
] as const)('%s %s %s: %s', (text, operator, part, expected) => {
  expect(english[operator](text, part)).toBe(expected);
});

describe('filters', () => {
  const rows = rowsOf('name', 'Ann', null, 'änn', 'Bob', {});
  test.each<[Where, string]>([
    [{}, '0 1 2 3 4'],
    [{ name: {} }, '0 1 2 3 4'],
    [{ name: { eq: null } }, '0 1 2 3 4'],
    [{ name: { eq: 'ann' } }, '0 2'],
    [{ not: { name: { eq: 'ann' } } }, '1 3 4'],
    [{ name: { isNull: true } }, '1 4'],
    [{ name: { in: [] } }, ''],
    [{ and: [] }, '0 1 2 3 4'],
    [{ or: [] }, ''],
    [{ or: [{ name: { eq: 'bob' } }, { name: { isNull: true } }] }, '1 3 4'],
    [{ name: { contains: 'n', startsWith: 'a' }, not: { name: { in: ['ÄNN'] } } }, ''],
    [{ postalAddress: { isNull: true, not: { city: { eq: 'x' } } } }, '0 1 2 3 4'],
    [{ labels: { some: {} } }, ''],
    [{ labels: { every: { name: { eq: 'x' } }, none: {}, isEmpty: true } }, '0 1 2 3 4'],
  ])('%j', (where, expected) => {
    expect(idsOf(filterRows(english, debtors, rows, where))).toBe(expected);
  });
});

test.each([
  ['NAME', 'ASC', ['b', 'Á', null, 'a', 'Z'], '1 3 0 4 2'],
  ['NAME', 'DESC', ['b', 'Á', null, 'a', 'Z'], '4 0 1 3 2'],
  ['BOOK_OPEN_AMOUNT', 'ASC', ['1.10', '-2', '1.1', '.5', 'none'], '1 3 0 2 4'],
  [
    'PAUSED_AT',
    'DESC',
    ['2024-05-01T00:00:00Z', '2024-05-01T01:30:00+02:00', '2024-05-01T00:00:00.0000001Z'],
    '2 0 1',
  ],
  ['PEPPOL_ENABLED', 'ASC', [true, null, false], '2 0 1'],
] as const)('%s %s', (name, direction, values, expected) => {
  const by = orderField(name);
  const column = { NAME: 'name', PAUSED_AT: 'paused_at', PEPPOL_ENABLED: 'peppol_enabled' };
  const rows = rowsOf(name === 'BOOK_OPEN_AMOUNT' ? 'book_open_amount' : column[name], ...values);
  expect(idsOf(orderRows(english, rows.toReversed(), [{ by, direction }]))).toBe(expected);
});

test('ids are ordered as numbers are', () => {
  const rows = ['10', 'b', '9', '100', 'a'].map((id) => ({ id }));
  expect(idsOf(orderRows(english, rows, []))).toBe('9 a b 10 100');
});

test.each([
  [[], { sum: '0', average: null, min: null, max: null, count: 0 }],
  [['1.10', '1.1', null, 'x'], { sum: '2.20', average: '1.1000', min: '1.10', max: '1.10', count: 2 }],
  [['0', '-0', '0.01'], { sum: '0.01', average: '0.0033', min: '0', max: '0.01', count: 3 }],
])('totals of %j', (values, expected) => {
  const { field } = orderField('BOOK_OPEN_AMOUNT');
  expect(totalsOf(rowsOf('book_open_amount', ...values), field)).toEqual(expected);
});

test('groups have the spelling of the first id, and count a row once in each', () => {
  const rows: Row[] = [
    { id: '10', labels: [{ name: 'vip' }, { name: 'VIP' }, { name: 'b' }] },
    { id: '9', labels: [{ name: 'VÍP' }] },
    { id: '8', labels: [] },
    { id: '7' },
  ];
  const groups = groupsOf(english, rows, groupField('LABELS_NAME'));
  expect(groups.map(({ key, rows: { length } }) => [key, length])).toEqual([
    ['VÍP', 2],
    [null, 2],
    ['b', 1],
  ]);
});

test('days are those of UTC', () => {
  const rows = rowsOf(
    'paused_at',
    '2024-05-01T01:00:00+02:00',
    null,
    '2024-04-30T23:59:59.999Z',
    '1969-12-31T23:59:59.5Z',
  );
  const groups = groupsOf(english, rows, groupField('PAUSED_AT_DAY'));
  expect(groups.map(({ key, rows: { length } }) => [key, length])).toEqual([
    ['1969-12-31', 1],
    ['2024-04-30', 2],
    [null, 1],
  ]);
});
