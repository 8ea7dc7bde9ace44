import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countParts, roomBeside, roomForValues, splitFilters } from '../../src/rest/query.ts';
import { defineResource, type FilterValues, known } from '../../src/rest/resource.ts';
import { MAX_URL_BYTES } from '../../src/rest/url.ts';
import { id, text } from '../../src/rest/values.ts';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';

const resource = defineResource({
  name: 'things',
  type: 'Thing',
  path: '/things',
  credential: 'bearer',
  members: { internalId: id.required('Id.', 'id'), name: text.optional('Name.') },
  takesFields: true,
  filters: { administrationId: known('administration_id'), ids: known('ids'), numbers: known('numbers') },
});

const numbers = (count: number) => times(count, String);
const split = (filters: FilterValues, beside = 0) => splitFilters(resource, {}, filters, beside);
const idsOf = (part: { readonly filters: FilterValues }) => part.filters.ids ?? [];

test.each<[what: string, filters: FilterValues, beside: number, sizes: readonly number[]]>([
  ['500 short values', { ids: numbers(500).map((value) => value.slice(-3)) }, 0, [500]],
  ['1,001 short values', { ids: numbers(1001).map((value) => value.slice(-3)) }, 0, [500, 500, 1]],
  // `ids=` and 99 times nine characters with a comma, without the last comma: 4 + 990 - 1 bytes.
  ['what just fits', { ids: times(99, (index) => String(100_000_000 + index)) }, 3_007, [99]],
  ['a byte more than fits', { ids: times(99, (index) => String(100_000_000 + index)) }, 3_008, [98, 1]],
  // Eight bytes and a comma each, where four characters and a comma would have fitted.
  ['encoded values', { ids: times(490, (index) => `é${10 + (index % 90)}`) }, 0, [444, 46]],
  ['two lists, of which the longer is split', { ids: numbers(600), numbers: numbers(20) }, 0, [500, 100]],
  ['no list, however long', { administrationId: 'x'.repeat(900) }, 3_900, [0]],
])('filters are split into parts: %s', (_what, filters, beside, sizes) => {
  const parts = split(filters, beside);
  expect(parts.map((part) => idsOf(part).length)).toEqual(sizes);
  for (const part of parts) expect({ ...part.filters, ids: 0 }).toEqual({ ...filters, ids: 0 });
});

test('filters are encoded, with the names that were configured', () => {
  const names = { things: { ids: 'id[]' }, others: { ids: 'x' } };
  const [part] = splitFilters(resource, names, { administrationId: '1', ids: ['a', 'b c'] }, 0);
  expect(part?.text).toBe('administration_id=1&id%5B%5D=a,b%20c');
  expect(() => split({ ids: ['x'.repeat(900), 'y'] }, 3_500)).toThrow('A value of `ids` is too long');
});

const value = fc.oneof(
  fc.stringMatching(/^\w{1,12}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !text.includes(',')),
);

test('parts hold all values once, in order, each within its bounds, and no more than are estimated', () => {
  const lists = fc.array(value, { minLength: 1, maxLength: 1_200, size: 'max' });
  fc.assert(
    fc.property(lists, fc.integer({ min: 0, max: 1_500 }), (ids, beside) => {
      const parts = split({ administrationId: '1', ids }, beside);
      expect(parts.flatMap(idsOf)).toEqual(ids);
      for (const part of parts) {
        expect(part.filters.administrationId).toBe('1');
        expect(idsOf(part).length).toBeLessThanOrEqual(500);
        expect(part.text.length).toBeLessThanOrEqual(MAX_URL_BYTES - beside);
      }
      const others = 'administration_id=1&ids='.length + beside;
      expect(countParts(ids, roomForValues(others))).toBeGreaterThanOrEqual(parts.length);
    }),
    { numRuns: casesOf({ short: 12, long: 60 }), endOnFailure: true },
  );
});

test('what a URL holds beside its filters is its address, its paging and its fields', () => {
  const bare = { ...resource, takesFields: false };
  const fields = { internalId: {}, name: {} };
  expect(roomBeside(bare, 20, fields)).toBe(20 + '/things'.length + '&per_page=500'.length + 60);
  const text = encodeURIComponent('{"only":["id","name"]}').replaceAll('%2C', ',').replaceAll('%3A', ':');
  expect(roomBeside(resource, 20, fields) - roomBeside(bare, 20, fields)).toBe(`fields=${text}`.length);
});
