import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  covers,
  type Fields,
  fieldsOf,
  isLeaf,
  LEAF,
  mergeAll,
  missingFields,
  unionOf,
  unionOfAll,
} from '../../src/rest/fields.ts';

const NAME: Fields = { name: LEAF };
const CITY: Fields = { address: { city: LEAF } };
const REGION: Fields = { address: { region: LEAF } };
const ADDRESS: Fields = { address: LEAF };

/** Trees as selections are: a name is plain in all of them, or has members in all. */
const plain = fc.constant(LEAF);
const tree: fc.Arbitrary<Fields> = fc
  .record(
    {
      a: plain,
      b: plain,
      c: fc.record(
        { d: plain, e: fc.record({ f: plain, g: plain }, { requiredKeys: [] }) },
        { requiredKeys: [] },
      ),
      h: fc.record({ f: plain, g: plain }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  .map(withoutEmpty);

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, members]): [string, Fields] => [name, withoutEmpty(members)])
      .filter(([name, members]) => 'abdfg'.includes(name) || !isLeaf(members)),
  );
}

describe('what is held covers what is wanted', () => {
  test.each<[what: string, held: Fields, wanted: Fields, isCovered: boolean]>([
    ['nothing', {}, {}, true],
    ['nothing of something', NAME, {}, true],
    ['the same field', NAME, { name: LEAF }, true],
    ['another field', NAME, { remark: LEAF }, false],
    ['one field of two', { name: LEAF, remark: LEAF }, NAME, true],
    ['two fields where one is held', NAME, { name: LEAF, remark: LEAF }, false],
    ['the same member', CITY, { address: { city: LEAF } }, true],
    ['another member', CITY, REGION, false],
    ['a member of an object that is held whole', ADDRESS, CITY, true],
    ['a whole object of which one member is held', CITY, ADDRESS, false],
    ['a member two levels down', { a: { b: { c: LEAF, d: LEAF } } }, { a: { b: { c: LEAF } } }, true],
    ['another member two levels down', { a: { b: { c: LEAF } } }, { a: { b: { d: LEAF } } }, false],
  ])('for %s', (_what, held, wanted, isCovered) => {
    expect(covers(held, wanted)).toBe(isCovered);
  });
});

describe('what is missing', () => {
  const BOTH = mergeAll([CITY, REGION]);

  test.each<[what: string, held: Fields, wanted: Fields, missing: Fields]>([
    ['is nothing where all is held', NAME, NAME, {}],
    ['is everything where nothing is held', {}, { ...NAME, ...CITY }, { ...NAME, ...CITY }],
    ['is the field that is not held', NAME, { name: LEAF, remark: LEAF }, { remark: LEAF }],
    ['is nothing of an object that is held whole', ADDRESS, CITY, {}],
    ['is the member that is not held, and not the one that is', CITY, REGION, REGION],
    ['is all wanted members of an object, so that they are of one moment', CITY, BOTH, BOTH],
    ['is the whole object where that is wanted', CITY, ADDRESS, ADDRESS],
  ])('%s', (_what, held, wanted, missing) => {
    expect(missingFields(held, wanted)).toEqual(missing);
  });

  test('is never a field that is covered, and with it all that is wanted is covered', () => {
    fc.assert(
      fc.property(tree, tree, (held, wanted) => {
        const missing = missingFields(held, wanted);
        const read = { ...held, ...missing };
        expect(covers(read, wanted)).toBe(true);
        for (const [name, members] of Object.entries(wanted)) {
          expect(name in missing).toBe(!covers(held, { [name]: members }));
        }
      }),
    );
  });
});

describe('a union', () => {
  test.each<[what: string, trees: Fields[], union: Fields]>([
    ['of nothing is empty', [], {}],
    ['of one tree is that tree', [CITY], CITY],
    ['of two fields has both', [NAME, { remark: LEAF }], { name: LEAF, remark: LEAF }],
    ['of two members has both', [CITY, REGION], { address: { city: LEAF, region: LEAF } }],
    ['of three trees has all', [NAME, CITY, REGION], { name: LEAF, address: { city: LEAF, region: LEAF } }],
    ['of a field and itself has it once', [NAME, { name: {} }], NAME],
  ])('%s', (_what, trees, union) => {
    expect(mergeAll(trees)).toEqual(union);
    expect(trees.reduce((one, other) => mergeAll([one, other]), {})).toEqual(union);
  });

  test('has its names in the order in which they first come', () => {
    const union = mergeAll([fieldsOf(['b', 'a']), fieldsOf(['c', 'a']), fieldsOf(['d', 'b'])]);
    expect(Object.keys(union)).toEqual(['b', 'a', 'c', 'd']);
  });

  test('changes none of its trees', () => {
    const [first, second] = [{ a: { b: LEAF } }, { a: { c: LEAF } }];
    mergeAll([first, second]);
    expect([first, second]).toEqual([{ a: { b: {} } }, { a: { c: {} } }]);
    expect(isLeaf(LEAF)).toBe(true);
  });

  test('has every name of every tree, and no other', () => {
    const pathsOf = (fields: Fields, before = ''): string[] =>
      Object.entries(fields).flatMap(([name, members]) => [
        `${before}/${name}`,
        ...pathsOf(members, `${before}/${name}`),
      ]);
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 4 }), (trees) => {
        const expected = new Set(trees.flatMap((each) => pathsOf(each)));
        expect(new Set(pathsOf(mergeAll(trees)))).toEqual(expected);
      }),
    );
  });

  test('of the same two trees is the same object each time', () => {
    const [a, b] = [{ a: LEAF }, { b: LEAF }];
    expect(unionOf(a, b)).toEqual({ a: {}, b: {} });
    expect(unionOf(a, b)).toBe(unionOf(a, b));
    expect(unionOf(a, a)).toBe(a);
    expect(unionOf(a, { b: LEAF })).not.toBe(unionOf(a, b));
  });

  test('of the same trees in the same order is the same object each time', () => {
    const [a, b, c] = [{ a: LEAF }, { b: LEAF }, { c: LEAF }];
    const union = unionOfAll(new Set([a, b, c]));
    expect(union).toEqual({ a: {}, b: {}, c: {} });
    expect(unionOfAll(new Set([a, b, c]))).toBe(union);
    expect(Object.keys(unionOfAll(new Set([a, c, b])))).toEqual(['a', 'c', 'b']);
    expect(unionOfAll(new Set([a, b]))).toEqual({ a: {}, b: {} });
    expect(unionOfAll(new Set([a]))).toBe(a);
    expect(unionOfAll(new Set())).toEqual({});
  });
});
