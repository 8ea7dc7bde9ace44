import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeRecord } from '../../src/rest/cache/merge.ts';
import { covers, type Fields } from '../../src/rest/fields.ts';
import { casesOf } from '../support/search.ts';

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
  if (Object.keys(fields).length === 0) return value;
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
    { numRuns: casesOf({ short: 400, long: 2_000 }) },
  );
});
