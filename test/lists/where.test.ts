import { isObjectType } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import { TextRules } from '../../src/lists/text-rules.ts';
import { compileWhere, type WhereInput } from '../../src/lists/where.ts';
import { fieldsParameter } from '../../src/rest/fields.ts';
import { WIRE_TEXT } from '../../src/rest/wire-text.ts';
import { recordFieldsOf } from '../../src/schema/fields/record.ts';
import { schema } from '../../src/schema/index.ts';
import { times } from '../support/times.ts';

const debtor = schema.getType('Debtor');
if (!isObjectType(debtor)) throw new Error('There is no Debtor');
const fields = recordFieldsOf(debtor);

function compile(where: WhereInput, rules = new TextRules('nl')) {
  const unreadable: string[] = [];
  const condition = compileWhere(where, fields, {
    rules,
    text: WIRE_TEXT,
    onUnreadable: (name) => unreadable.push(name),
    maxValues: 5,
    internalIds: (ids) => ids.map((id) => String(id).replace('global:', '')),
  });
  let isPrepared = false;
  const holds = (record: object) => {
    if (!isPrepared) for (const next of condition.preparations) while (next());
    isPrepared = true;
    return condition.holds(record);
  };
  return { holds, reads: condition.reads, unreadable };
}

/** As it travels from the service. */
const wire = (text: string) => String(WIRE_TEXT.encode(text));

const RECORD = {
  id: '12',
  name: wire('Noëlle Bakker'),
  book_open_amount: '-0.50',
  payment_behaviour: 30,
  paused_at: '2024-05-01T02:00:00+02:00',
  peppol_enabled: false,
  postal_address: { city: "'s-Gravenhage", region: null },
  labels: [{ name: 'B2B' }, { name: wire('Überfällig') }],
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
    expect(condition.unreadable).toEqual([]);
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
  expect(compile(where).holds({ id: '1' })).toBe(holds);
});

/** So many different letters, one after another. */
function lettersFrom(start: number, count: number): string {
  return String.fromCodePoint(...times(count, (index) => start + index));
}

test.each<[string, WhereInput, object]>([
  ['bookOpenAmount', { bookOpenAmount: { gt: '0' } }, { book_open_amount: 'much' }],
  ['bookOpenAmount', { bookOpenAmount: { isNull: true } }, { book_open_amount: 12 }],
  ['name', { name: { eq: 'x' } }, { name: ['x'] }],
  [
    'relationManager',
    { name: { contains: 'x' }, remark: { contains: 'x' }, relationManager: { contains: 'x' } },
    { name: 'x'.repeat(50_000), relation_manager: 'x'.repeat(50_000), remark: 'x' },
  ],
  // Each letter is compared as eighteen.
  ['name', { name: { contains: 'x' } }, { name: Buffer.from('\ufdfa'.repeat(3_000)).toString('latin1') }],
  ['name', { name: { contains: 'x' } }, { name: wire(lettersFrom(0xa1, 2_400)) }],
  // No text has too many letters, but the record has.
  [
    'relationManager',
    { or: ['name', 'remark', 'relationManager', 'vatNumber'].map((name) => ({ [name]: { eq: 'x' } })) },
    {
      name: wire(lettersFrom(0xa1, 1_500)),
      remark: wire(lettersFrom(0xa000, 1_500)),
      relation_manager: wire(lettersFrom(0x1000, 1_500)),
      vat_number: 'NL1',
    },
  ],
  ['labels', { labels: { isEmpty: true } }, { labels: 'B2B' }],
  ['pausedAt', { pausedAt: { gt: '2024-05-01T00:00:00Z' } }, { paused_at: 'yesterday' }],
])('a value of `%s` that cannot be read is told', (name, where, record) => {
  const condition = compile(where);
  condition.holds({ id: '1', ...record });
  expect(condition.unreadable).toEqual([name]);
});

test('ideographs can be compared, however many different ones a text has', () => {
  const condition = compile({ name: { contains: '\u4e2d' } });
  const name = Buffer.from(lettersFrom(0x4e00, 3_000)).toString('latin1');
  expect([condition.holds({ id: '1', name }), condition.unreadable]).toEqual([true, []]);
});

/** As many items, or as much text, as is compared, and one more. */
describe.each([
  ['items', (count: number) => Array.from({ length: count }, () => ({ name: 'a' })), 200],
  ['bytes', (count: number) => [{ name: 'a' }, { name: 'b'.repeat(count - 1) }], 50_000],
  ['broken items', (count: number) => Array.from({ length: count }, () => 'x'), 200],
])('a list of too many %s', (_, listOf, most) => {
  test.each<[boolean, boolean, WhereInput]>([
    [true, false, { labels: { some: {} } }],
    [false, true, { labels: { none: {} } }],
    [false, true, { labels: { isEmpty: true } }],
    [false, true, { labels: { every: { name: { eq: 'z' } } } }],
  ])('counts as missing, and is told: %j, %j, %j', (atMost, beyond, where) => {
    for (const [count, holds] of [
      [most, atMost],
      [most + 1, beyond],
    ] as const) {
      const condition = compile(where);
      expect(condition.holds({ id: '1', labels: listOf(count) })).toBe(holds);
      expect(condition.unreadable.includes('labels')).toBe(count > most);
    }
  });
});

test('a text is folded once a record, whatever the number of conditions and items', () => {
  const fold = vi.spyOn(TextRules.prototype, 'fold');
  const condition = compile({
    or: Array.from({ length: 40 }, (_, index) => ({ labels: { some: { name: { contains: `z${index}` } } } })),
  });
  // Texts that conditions name wait for a record.
  expect(fold).not.toHaveBeenCalled();
  const labels = Array.from({ length: 50 }, (_, index) => ({ name: `label ${index}` }));
  expect([condition.holds({ id: '1', labels }), fold.mock.calls.length]).toEqual([false, 40 + 50]);
  expect([condition.holds({ id: '2', labels }), fold.mock.calls.length]).toEqual([false, 40 + 50 + 50]);
  fold.mockRestore();
});

test('texts that a record has no room for are not decoded', () => {
  const decode = vi.spyOn(WIRE_TEXT, 'decode');
  const { holds, unreadable } = compile({
    or: ['name', 'remark', 'relationManager', 'vatNumber'].map(missing),
  });
  const long = 'x'.repeat(45_000);
  const record = { id: '1', name: long, remark: long, relation_manager: long, vat_number: long };
  expect([holds(record), decode.mock.calls.length]).toEqual([false, 2]);
  expect(unreadable).toEqual(['relationManager', 'vatNumber']);
  decode.mockRestore();

  function missing(name: string): WhereInput {
    return { [name]: { contains: 'y' } };
  }
});

test('texts that several conditions share are folded once for all', () => {
  const fold = vi.spyOn(TextRules.prototype, 'fold');
  const wanted = ['a', 'b', 'c'];
  const rules = new TextRules('nl');
  const conditions = Array.from({ length: 5 }, () => compile({ name: { in: wanted } }, rules));
  expect(conditions.map(({ holds }) => holds({ id: '1', name: 'C' }))).toEqual(conditions.map(() => true));
  expect(fold.mock.calls.length).toBe(wanted.length + conditions.length);
  fold.mockRestore();
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
  expect(JSON.parse(fieldsParameter(compile(where).reads))).toEqual({ only });
});

test.each<[RegExp, WhereInput]>([
  [/200 conditions/, { or: Array.from({ length: 100 }, () => ({ name: { eq: 'x' } })) }],
  [/at most 5 values/, { name: { in: ['1', '2', '3', '4', '5', '6'] } }],
  [/1000 characters/, { name: { contains: 'x'.repeat(1001) } }],
  [/decimal number/, { bookOpenAmount: { lt: '1e5' } }],
])('what is too much or wrong is refused: %s', (message, where) => {
  expect(() => compile(where)).toThrow(message);
});
