import { describe, expect, test } from 'vitest';
import { compileWhere, type WhereInput } from '../../src/lists/where.ts';
import { fieldsParameter } from '../../src/rest/fields.ts';
import { resourcesOf } from '../../src/schema/fields/metadata.ts';
import { schema } from '../../src/schema/index.ts';

const members = resourcesOf(schema).find(({ name }) => name === 'debtors')?.members ?? {};

function compile(where: WhereInput) {
  const unreadable = new Set<string>();
  const condition = compileWhere(where, members, {
    unreadable,
    maxValues: 5,
    internalIds: (ids) => ids.map((id) => id.replace('global:', '')),
  });
  return { ...condition, unreadable };
}

const RECORD = {
  internalId: '12',
  name: 'Noëlle Bakker',
  bookOpenAmount: '-0.50',
  paymentBehaviour: 30,
  pausedAt: '2024-05-01T02:00:00+02:00',
  peppolEnabled: false,
  postalAddress: { city: "'s-Gravenhage", region: null },
  labels: [{ name: 'B2B' }, { name: 'Überfällig' }],
};

describe('on a record', () => {
  test.each<[boolean, WhereInput]>([
    [true, {}],
    [true, { name: null }],
    [true, { name: {} }],
    [true, { name: { eq: 'NOELLE BAKKER' } }],
    [false, { name: { eq: 'noelle' } }],
    [true, { name: { in: ['x', 'noelle bakker'] } }],
    [false, { name: { in: [] } }],
    [true, { name: { contains: 'LLE b' } }],
    [true, { name: { contains: '' } }],
    [true, { name: { startsWith: 'noe' } }],
    [false, { name: { startsWith: 'bakker' } }],
    [false, { name: { contains: '.*' } }],
    [true, { remark: { isNull: true } }],
    [false, { remark: { isNull: false } }],
    [false, { remark: { contains: '' } }],
    [true, { not: { remark: { contains: 'x' } } }],
    [true, { bookOpenAmount: { eq: '-.5' } }],
    [true, { bookOpenAmount: { lt: '0', gte: '-0.5', gt: '-0.500000000000000000000000000001' } }],
    [false, { bookOpenAmount: { gt: '-0.5' } }],
    [true, { paymentBehaviour: { lte: 30, gt: 29 } }],
    [true, { pausedAt: { eq: '2024-05-01T00:00:00.000Z' } }],
    [false, { pausedAt: { gt: '2024-05-01T00:00:00Z' } }],
    [true, { peppolEnabled: { eq: false } }],
    [false, { peppolEnabled: { isNull: true } }],
    [true, { internalId: { eq: 'global:12' } }],
    [true, { postalAddress: { city: { eq: "'S-GRAVENHAGE" } } }],
    [true, { postalAddress: { region: { isNull: true } } }],
    [false, { postalAddress: { isNull: true } }],
    [true, { postalAddress: { or: [{ city: { eq: 'x' } }, { countryCode: { isNull: true } }] } }],
    [true, { labels: { some: { name: { eq: 'uberfallig' } } } }],
    [false, { labels: { every: { name: { eq: 'B2B' } } } }],
    [true, { labels: { none: { name: { eq: 'Zorg' } } } }],
    [false, { labels: { isEmpty: true } }],
    [true, { and: [] }],
    [false, { or: [] }],
    [true, { and: [{ name: { contains: 'n' } }, { not: { name: { contains: 'z' } } }] }],
    [false, { name: { contains: 'n' }, bookOpenAmount: { gt: '0' } }],
  ])('%j: %j', (holds, where) => {
    const condition = compile(where);
    expect(condition.holds(RECORD)).toBe(holds);
    expect(condition.unreadable.size).toBe(0);
  });
});

test.each<[boolean, WhereInput]>([
  [true, { postalAddress: { isNull: true } }],
  [true, { postalAddress: { city: { isNull: true } } }],
  [false, { labels: { some: {} } }],
  [true, { labels: { every: { name: { eq: 'x' } } } }],
  [true, { labels: { none: {} } }],
  [true, { labels: { isEmpty: true } }],
])('on a record that has nothing, %j: %j', (holds, where) => {
  expect(compile(where).holds({ internalId: '1' })).toBe(holds);
});

test.each<[string, WhereInput, object]>([
  ['bookOpenAmount', { bookOpenAmount: { gt: '0' } }, { bookOpenAmount: 'much' }],
  ['bookOpenAmount', { bookOpenAmount: { isNull: true } }, { bookOpenAmount: new Error('12') }],
  ['name', { name: { eq: 'x' } }, { name: new Error('x') }],
  ['labels', { labels: { isEmpty: true } }, { labels: new Error('B2B') }],
  ['pausedAt', { pausedAt: { gt: '2024-05-01T00:00:00Z' } }, { pausedAt: 'yesterday' }],
])('a value of `%s` that cannot be read is told', (name, where, record) => {
  const condition = compile(where);
  condition.holds({ internalId: '1', ...record });
  expect([...condition.unreadable]).toEqual([name]);
});

test.each<[WhereInput, readonly unknown[]]>([
  [{ name: { eq: 'x' }, or: [{ name: { isNull: true } }, { remark: { eq: 'x' } }] }, ['name', 'remark']],
  [
    { postalAddress: { city: { eq: 'x' }, not: { region: { eq: 'y' } } } },
    [{ postal_address: ['city', 'region'] }],
  ],
  [{ postalAddress: { isNull: true } }, [{ postal_address: ['city'] }]],
  [{ labels: { isEmpty: false } }, [{ labels: ['name'] }]],
  [{ labels: { some: {} } }, [{ labels: ['name'] }]],
])('%j reads %j and no more', (where, only) => {
  expect(JSON.parse(fieldsParameter(members, compile(where).reads))).toEqual({ only });
});

test.each<[RegExp, WhereInput]>([
  [/200 conditions/, { or: Array.from({ length: 100 }, () => ({ name: { eq: 'x' } })) }],
  [/at most 5 values/, { name: { in: ['1', '2', '3', '4', '5', '6'] } }],
  [/1000 characters/, { name: { contains: 'x'.repeat(1001) } }],
  [/decimal number/, { bookOpenAmount: { lt: '1e5' } }],
])('what is too much or wrong is refused: %s', (message, where) => {
  expect(() => compile(where)).toThrow(message);
});
