import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeRecord } from '../../src/rest/cache/shelf.ts';
import {
  covers,
  type Fields,
  isLeaf,
  LEAF,
  mergeAll,
  missingFields,
  unionOfAll,
} from '../../src/rest/fields.ts';
import { casesOf } from '../support/search.ts';

const NAME: Fields = { name: LEAF };
const CITY: Fields = { address: { city: LEAF } };
const REGION: Fields = { address: { region: LEAF } };
const BOTH: Fields = { address: { city: LEAF, region: LEAF } };
const ADDRESS: Fields = { address: LEAF };

/** Trees as selections are: a name is plain in all of them, or has members in all. */
const plain = fc.constant(LEAF);
const inner = fc.record({ f: plain, g: plain }, { requiredKeys: [] });
const outer = fc.record({ d: plain, e: inner }, { requiredKeys: [] });
const tree: fc.Arbitrary<Fields> = fc
  .record({ a: plain, b: plain, c: outer, h: inner }, { requiredKeys: [] })
  .map(withoutEmpty);

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, members]): [string, Fields] => [name, withoutEmpty(members)])
      .filter(([name, members]) => 'abdfg'.includes(name) || !isLeaf(members)),
  );
}

test.each<[what: string, held: Fields, wanted: Fields, missing: Fields]>([
  ['nothing where all is held', { ...NAME, remark: LEAF }, NAME, {}],
  ['everything where nothing is held', {}, { ...NAME, ...CITY }, { ...NAME, ...CITY }],
  ['the field that is not held', NAME, { name: LEAF, remark: LEAF }, { remark: LEAF }],
  ['nothing of an object that is held whole', ADDRESS, CITY, {}],
  ['the member that is not held, and not the one that is', CITY, REGION, REGION],
  ['all wanted members of an object, so that they are of one moment', CITY, BOTH, BOTH],
  ['the whole object where that is wanted', CITY, ADDRESS, ADDRESS],
])('what is missing is %s', (_what, held, wanted, missing) => {
  expect(missingFields(held, wanted)).toEqual(missing);
  expect(covers(held, wanted)).toBe(isLeaf(missing));
});

test('what is missing is never covered, and with it all that is wanted is', () => {
  fc.assert(
    fc.property(tree, tree, (held, wanted) => {
      const missing = missingFields(held, wanted);
      expect(covers({ ...held, ...missing }, wanted)).toBe(true);
      for (const [name, members] of Object.entries(wanted))
        expect(name in missing).toBe(!covers(held, { [name]: members }));
    }),
  );
});

test('a union has every name of every tree in the order in which they first come, and no other', () => {
  const pathsOf = (fields: Fields, before = ''): string[] =>
    Object.entries(fields).flatMap(([name, members]) => [
      `${before}/${name}`,
      ...pathsOf(members, `${before}/${name}`),
    ]);
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), (trees) => {
      const before = JSON.stringify(trees);
      const union = mergeAll(trees);
      expect(new Set(pathsOf(union))).toEqual(new Set(trees.flatMap((each) => pathsOf(each))));
      expect(Object.keys(union)).toEqual([...new Set(trees.flatMap((each) => Object.keys(each)))]);
      expect(JSON.stringify(trees)).toBe(before);
    }),
  );
});

test('a union of the same trees in the same order is the same object each time', () => {
  const [a, b, c] = [{ a: LEAF }, { b: LEAF }, { c: LEAF }];
  expect(unionOfAll(new Set([a]))).toBe(a);
  const union = unionOfAll(new Set([a, b, c]));
  expect(union).toEqual({ a: {}, b: {}, c: {} });
  expect(unionOfAll(new Set([a, b, c]))).toBe(union);
  expect(unionOfAll(new Set([a, c]))).toEqual({ a: {}, c: {} });
  expect(unionOfAll(new Set())).toEqual({});
});

type Value = string | null | readonly Value[] | { readonly [name: string]: Value };
const name = fc.constantFrom('a', 'b', 'c');
const { record } = fc.letrec<{ value: Value; record: { readonly [name: string]: Value } }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('x', 'y', null),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('record'),
  ),
  record: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
}));
const { mask } = fc.letrec<{ mask: Fields }>((tie) => ({
  mask: fc.dictionary(name, fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constant({}), tie('mask')), {
    maxKeys: 2,
  }),
}));

/** What is made of a value that is asked for by a mask: null where the service sends nothing. */
function select(value: Value | undefined, fields: Fields): unknown {
  if (isLeaf(fields)) return value;
  if (Array.isArray(value)) return value.map((item) => select(item, fields));
  if (typeof value !== 'object' || value === null) return value;
  const members = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(fields).map(([member, inside]) => [member, select(members.get(member) ?? null, inside)]),
  );
}

test('a record that is read piece by piece holds all that its field mask claims', () => {
  fc.assert(
    fc.property(record, fc.array(mask, { minLength: 2, maxLength: 5 }), (whole, masks) => {
      const reads = masks.map((fields) => ({ record: Object(select(whole, fields)), fields }));
      const merged = reads.reduce(mergeRecord);
      expect(select(merged.record as Record<string, Value>, merged.fields)).toEqual(
        select(whole, merged.fields),
      );
      expect(covers(merged.fields, masks.at(-1) ?? {})).toBe(true);
    }),
    { numRuns: casesOf({ short: 200, long: 2_000 }) },
  );
});
