import { expect, test } from 'vitest';
import { type Fields, fieldsOf, LEAF } from '../../src/rest/fields.ts';
import { valueBytes } from '../../src/rest/json.ts';
import { pickOf } from '../../src/rest/pick.ts';

const pick = (fields: Fields, value: unknown) => {
  const size = { bytes: 0 };
  return { picked: pickOf(fields)(value, size), bytes: size.bytes };
};

const address = { address: fieldsOf(['city', 'street']) };
const labels = { labels: fieldsOf(['name']) };
const tags = fieldsOf(['tags']);

test.each<[string, Fields, unknown, unknown]>([
  [
    'scalars',
    fieldsOf(['a', 'b', 'c', 'd']),
    { a: 'x', b: 1.5, c: true, d: null },
    { a: 'x', b: 1.5, c: true, d: null },
  ],
  ['others', fieldsOf(['a']), { b: 2, a: 1, '0': 3 }, { a: 1 }],
  ['a member that is missing', fieldsOf(['a', 'b']), { a: 1 }, { a: 1, b: undefined }],
  [
    'an object',
    address,
    { address: { city: 'Delft', zip: 1 } },
    { address: { city: 'Delft', street: undefined } },
  ],
  ['an object that is null', address, { address: null }, { address: null }],
  ['a text where an object was asked for', address, { address: 'Delft' }, { address: 'Delft' }],
  ['a list of objects', labels, { labels: [{ name: 'a', x: 1 }, null] }, { labels: [{ name: 'a' }, null] }],
  ['a list in a list of objects', labels, { labels: [[{ name: 'a' }]] }, { labels: [[]] }],
  ['a list of scalars', tags, { tags: ['a', 1, null] }, { tags: ['a', 1, null] }],
  ['objects where scalars were asked for', tags, { tags: [{ a: 1 }, [1]] }, { tags: [{}, []] }],
  ['an object where a scalar was asked for', tags, { tags: { a: { b: 1 } } }, { tags: {} }],
  [
    'names that are no identifiers',
    fieldsOf(['a"b', "it's"]),
    { 'a"b': 1, "it's": 2 },
    { 'a"b': 1, "it's": 2 },
  ],
])('of %s, what was asked for is kept and counted', (_what, fields, value, expected) => {
  const { picked, bytes } = pick(fields, value);
  expect(picked).toStrictEqual(expected);
  expect(bytes).toBe(valueBytes(picked));
});

test('deep values are picked as far as was asked for', () => {
  const deep = JSON.parse(`{"tags":${'['.repeat(5_000)}${']'.repeat(5_000)}}`);
  expect(pick(tags, deep).picked).toStrictEqual({ tags: [[]] });
});

test('trees of the same names share what was compiled, also if they are made anew', () => {
  expect(pickOf({ a: LEAF, b: fieldsOf(['c']) })).toBe(pickOf({ a: LEAF, b: fieldsOf(['c']) }));
  expect(pickOf({ a: LEAF, b: fieldsOf(['c']) })).not.toBe(pickOf({ a: LEAF, b: fieldsOf(['d']) }));
});
