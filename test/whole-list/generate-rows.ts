import fc from 'fast-check';
import { CLAIM_STATUSES, type Field, type NestedField, type PlainField, restName } from './lists.ts';
import type { Row } from './model.ts';

/** Few letters, so that texts are often equal, start alike or contain each other. */
const LETTERS = [...'aAäåzéesßİi中国שם🙂 1', 'e\u0301'];
const WORDS = 'Zürich zurich Öst Århus aarhus Strasse straße 👨‍👩‍👧 10 9 a-b'.split(' ');
const LONG = 'é'.repeat(200);

export const text: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...LETTERS), { maxLength: 3 }).map((all) => all.join('')),
  },
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(LONG, `${LONG}a`, `${LONG}b`, 'ß'.repeat(150), `${'a'.repeat(199)}ß`),
  },
);

export const amount: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('0', '-0', '+1.50', '.5', '0.5', '-0.005', '1.1', '1.10', '1', '0.1', '0.2', '-3'),
  fc.constantFrom('123456789012345678901234567890.01', '-99999999999999999999', '9007199254740993', '0.125'),
  fc
    .tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: 0, max: 99 }))
    .map((parts) => parts.join('.')),
);

/** Moments as arguments; the service may write more digits of a second. */
export const moment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '2024-05-01T00:00:00Z',
    '2024-05-01T02:00:00+02:00',
    '2024-05-01T01:59:59.999+02:00',
    '2024-04-30T19:00:00-05:30',
    '2024-05-01T00:00:00.000000001Z',
    '2024-05-01T00:00:00.5Z',
    '2024-05-01T00:00:00.50Z',
    '1969-12-31T23:59:59.25Z',
    '2023-12-31T23:30:00-01:00',
    '9999-12-31T23:59:59Z',
  ),
  fc
    .integer({ min: 1_700_000_000, max: 1_700_400_000 })
    .map((second) => new Date(second * 1000).toISOString()),
);

export const int: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(2_147_483_647, -2_147_483_648),
);

const key = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 1200 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('00001', 'a', 'B', 'b', 'é1', 'z-9', '12345678901234567890', '中'),
  },
);

export const FOREIGN_IDS = ['7', '12', '300', '300001', 'q1'];

/** A few values of each kind for one case, so that rows are often alike, and filters find some of them. */
export interface Pools {
  readonly text: readonly string[];
  readonly amount: readonly string[];
  readonly int: readonly number[];
  readonly dateTime: readonly string[];
  readonly key: readonly string[];
}

export function poolsOf(): fc.Arbitrary<Pools> {
  const few = { minLength: 2, maxLength: 7 };
  return fc.record({
    text: fc.array(text, few),
    amount: fc.array(amount, few),
    int: fc.array(int, few),
    dateTime: fc.array(moment, few),
    key: fc
      .constantFrom(1, 2, 5, 12, 12, 25, 25, 40, 60)
      .chain((length) => fc.uniqueArray(key, { minLength: length, maxLength: length, size: 'max' })),
  });
}

function valuesOf(kind: PlainField['kind'], pools: Pools): fc.Arbitrary<unknown> {
  switch (kind) {
    case 'id':
      return fc.constantFrom(...FOREIGN_IDS);
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...CLAIM_STATUSES.map((name) => name.toLowerCase()));
    case 'dateTime':
      // These have more digits than an argument may have.
      return fc.constantFrom(...pools.dateTime, '2024-05-01T00:00:00.0000000000001Z');
    default:
      return fc.constantFrom<string | number>(...pools[kind]);
  }
}

/** Rows with values in some fields, each with an id of its own, in no order. */
export function rowsOf(fields: readonly Field[], pools: Pools): fc.Arbitrary<Row[]> {
  const own = { administration_id: '1001' };
  const values = rowValues(fields, pools);
  return fc
    .shuffledSubarray([...pools.key], { minLength: Math.floor(pools.key.length * 0.8) })
    .chain((keys) => fc.tuple(...keys.map((id) => values.map((row) => ({ ...row, ...own, id })))));
}

function rowValues(fields: readonly Field[], pools: Pools): fc.Arbitrary<object> {
  const filled = fields.filter(({ name }) => name !== 'internalId' && name !== 'administrationId');
  return fc.record(
    Object.fromEntries(
      filled.map((field) => [
        restName(field.name),
        fc.oneof(
          {
            weight: 6,
            arbitrary: 'members' in field ? nestedValue(field, pools) : valuesOf(field.kind, pools),
          },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
      ]),
    ),
    { requiredKeys: [] },
  );
}

function nestedValue({ kind, members }: NestedField, pools: Pools): fc.Arbitrary<unknown> {
  if (kind === 'texts') return fc.array(fc.constantFrom(...pools.text), { maxLength: 3 });
  const object = rowValues(members, pools);
  return kind === 'object' ? object : fc.array(object, { maxLength: 3 });
}
