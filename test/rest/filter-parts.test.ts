import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countParts,
  parametersOf,
  queryText,
  roomBeside,
  roomForValues,
  splitFilters,
} from '../../src/rest/query.ts';
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

describe('filters', () => {
  test('that fit are one part', () => {
    expect(split({ administrationId: '1', ids: ['a', 'b'] })).toEqual([
      { filters: { administrationId: '1', ids: ['a', 'b'] }, text: 'administration_id=1&ids=a,b' },
    ]);
    expect(split({})).toEqual([{ filters: {}, text: '' }]);
  });

  test.each([
    [499, [499]],
    [500, [500]],
    [501, [500, 1]],
    [1000, [500, 500]],
    [1001, [500, 500, 1]],
  ])('of %i short values are parts of %j', (count, sizes) => {
    const parts = split({ ids: numbers(count).map((value) => value.slice(-3)) });
    expect(parts.map((part) => idsOf(part).length)).toEqual(sizes);
  });

  test.each([
    // `ids=` and 99 times nine characters with a comma, without the last comma: 4 + 990 - 1 bytes.
    [3_007, 1],
    [3_008, 2],
  ])('beside %i bytes of a URL are %i parts', (beside, count) => {
    const values = times(99, (index) => String(100_000_000 + index));
    expect(split({ ids: values }, beside)).toHaveLength(count);
  });

  test('are counted as they are encoded', () => {
    // Eight bytes and a comma each, where four characters and a comma would have fitted.
    const parts = split({ ids: times(490, (index) => `é${10 + (index % 90)}`) });
    expect(parts.map((part) => idsOf(part).length)).toEqual([444, 46]);
    for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(MAX_URL_BYTES);
  });

  test('of two long lists are split by the longer one alone', () => {
    const filters = { administrationId: '1', ids: numbers(600), numbers: numbers(20) };
    const parts = split(filters);
    expect(
      parts.map((part) => [idsOf(part).length, part.filters.numbers, part.filters.administrationId]),
    ).toEqual([
      [500, filters.numbers, '1'],
      [100, filters.numbers, '1'],
    ]);
  });

  test('have the names that were configured', () => {
    const names = { things: { ids: 'id[]' }, others: { ids: 'x' } };
    expect(splitFilters(resource, names, { ids: ['a'] }, 0)[0]?.text).toBe('id%5B%5D=a');
  });

  test('are refused where a value leaves no room', () => {
    expect(() => split({ ids: ['x'.repeat(900), 'y'] }, 3_500)).toThrow('A value of `ids` is too long');
  });

  test('of which none is a list are one part, however long', () => {
    expect(split({ administrationId: 'x'.repeat(900) }, 3_900)).toHaveLength(1);
  });

  test('hold in their parts all values once, in order, each part within its bounds', () => {
    const value = fc.oneof(
      fc.stringMatching(/^\w{1,12}$/),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !text.includes(',')),
    );
    const lists = fc.array(value, { maxLength: 1_200, size: 'max' });
    fc.assert(
      fc.property(lists, fc.integer({ min: 0, max: 3_000 }), (ids, beside) => {
        const parts = split({ administrationId: '1', ids }, beside);
        expect(parts.flatMap(idsOf)).toEqual(ids);
        for (const part of parts) {
          expect(part.filters.administrationId).toBe('1');
          expect(idsOf(part).length).toBeLessThanOrEqual(500);
          expect(part.text.length).toBeLessThanOrEqual(MAX_URL_BYTES - beside);
        }
      }),
      { numRuns: casesOf({ short: 12, long: 60 }), endOnFailure: true },
    );
  });
});

describe('the number of parts', () => {
  test.each<[values: number, room: number, parts: number]>([
    [0, 2_000, 0],
    [1, 2_000, 1],
    [500, 1e6, 1],
    [501, 1e6, 2],
    [1_500, 1e6, 3],
    // Three characters and a comma each.
    [100, 400, 1],
    [100, 399, 2],
    [100, 40, 10],
    [3, 1, 3],
  ])('for %i values of three characters and %i bytes of room is %i', (count, room, parts) => {
    expect(
      countParts(
        times(count, () => 'abc'),
        room,
      ),
    ).toBe(parts);
  });

  test('is never less than the parts that are made', () => {
    const lists = fc.array(fc.stringMatching(/^[\wé ]{1,30}$/), { maxLength: 700, size: 'max' });
    fc.assert(
      fc.property(lists, fc.integer({ min: 0, max: 1_500 }), (ids, beside) => {
        const others = 'administration_id=1&ids='.length + beside;
        const made = split({ administrationId: '1', ids }, beside);
        expect(countParts(ids, roomForValues(others))).toBeGreaterThanOrEqual(
          ids.length === 0 ? 0 : made.length,
        );
      }),
      { numRuns: casesOf({ short: 12, long: 60 }), endOnFailure: true },
    );
  });
});

test('what a URL holds beside its filters is its address, its paging and its fields', () => {
  const bare = { ...resource, takesFields: false };
  const fields = { internalId: {}, name: {} };
  const paging = '&per_page=500'.length + 60;
  expect(roomBeside(bare, 20, fields)).toBe(20 + '/things'.length + paging);
  expect(roomBeside(resource, 20, fields) - roomBeside(bare, 20, fields)).toBe(
    `fields=${encodeURIComponent('{"only":["id","name"]}').replaceAll('%2C', ',').replaceAll('%3A', ':')}`
      .length,
  );
});

describe('the query of a page', () => {
  test.each([
    ['', undefined, 'per_page=7'],
    ['ids=a,b', undefined, 'ids=a,b&per_page=7'],
    ['', 'x y', 'cursor=x%20y&per_page=7'],
    ['ids=a', '12', 'ids=a&cursor=12&per_page=7'],
  ])('with filters %j and the cursor %j is %s', (filters, cursor, query) => {
    expect(queryText(filters, cursor, 7)).toBe(query);
  });

  test('is shown decoded, by the names of its parameters', () => {
    const part = { filters: { ids: ['é', 'b'], unknown: 'x' }, text: '' };
    expect(parametersOf(resource, {}, { part, perPage: 7, cursor: 'x y' })).toEqual({
      ids: ['é', 'b'],
      cursor: 'x y',
      per_page: '7',
    });
  });
});
