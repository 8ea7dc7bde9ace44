import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invalid, RestError } from '../../src/rest/errors.ts';
import type { ReadRow } from '../../src/rest/resource.ts';
import { RowsBefore } from '../../src/rest/resume.ts';
import { DECODED_TEXT, WIRE_TEXT } from '../../src/rest/wire-text.ts';

const BROKEN = invalid({ method: 'GET', path: '/things' }, 'nothing');

/** Rows by their ids, `!` for a broken one. */
const rows = (...ids: string[]): ReadRow[] =>
  ids.map((id) => (id === '!' ? BROKEN : { id: WIRE_TEXT.encode(id) }));
const idsOf = (read: readonly ReadRow[] | undefined) =>
  read?.map((row) => (row instanceof RestError ? '!' : String(row.id)));

/** What stands behind a position that is named by its row and those before it, `^` if these are all. */
function behind(position: string, ...pages: string[][]): (string[] | undefined)[] | 'unknown' {
  const [mark, cursor = '', ...before] = position.split(' ');
  const rowsBefore = new RowsBefore({ part: null, cursor, before, isFromStart: mark === '^' }, WIRE_TEXT);
  if (!rowsBefore.startAnew()) return 'unknown';
  return pages.map((page) => idsOf(rowsBefore.skip(rows(...page))));
}

describe('a list that is read from its start', () => {
  test.each<[what: string, position: string, pages: string[][], found: (string[] | undefined)[] | 'unknown']>(
    [
      ['skips the rows that are named', '^ 7 3', [['3', '9', '4']], [['9', '4']]],
      [
        'skips them on later pages',
        '^ 7 3',
        [
          ['!', '9'],
          ['7', '5'],
        ],
        [['!', '9'], ['5']],
      ],
      [
        'skips rows up to the place by their order',
        ': 70 50 30',
        [['9', '10', '69', '71', '100']],
        [['71', '100']],
      ],
      [
        'skips whole pages by their order',
        ': 70 50 30',
        [
          ['1', '2', '3', '4', '10', '!'],
          ['20', '!', '80', '!'],
        ],
        [[], ['80', '!']],
      ],
      [
        'tells nothing by order once it is behind the place',
        ': 70 50 30',
        [['80'], ['60', '50']],
        [['80'], ['60']],
      ],
      [
        'skips rows before the place again, where it steps back',
        ': 70 50 30',
        [
          ['1', '2', '3', '4', '20', '80', '90'],
          ['20', '60', '90', '95'],
        ],
        [
          ['80', '90'],
          ['90', '95'],
        ],
      ],
      ['takes text of one length in its order', ': cc bb', [['aa', 'ab', 'ac', 'ad', 'ae', 'dd']], [['dd']]],
      ['is given up where rows are in another order', ': 70 50 30', [['40', '20', '80']], [undefined]],
      [
        'is given up where rows of two pages are',
        ': 70 50 30',
        [
          ['1', '2', '3', '4', '40'],
          ['20', '80'],
        ],
        [[], undefined],
      ],
      ['is given up where the named rows are', ': 70 30 50', [['80']], 'unknown'],
      ['is given up where a row is alone', ': 70', [['80']], 'unknown'],
      ['is given up where few rows show the order', ': 300 200 100', [['150', '160']], [undefined]],
      ['gives what is behind the place, however few', ': 300 200 100', [['400', '500']], [['400', '500']]],
    ],
  )('%s', (_what, position, pages, found) => {
    expect(behind(position, ...pages)).toEqual(found);
  });
});

test('a list that goes on from a row before skips the rows between', () => {
  const rowsBefore = new RowsBefore({ part: null, cursor: '7', before: ['3', '5'] }, WIRE_TEXT);
  expect(rowsBefore.cursors).toEqual(['7', '3', '5']);
  expect(idsOf(rowsBefore.skip(rows('3', '1', '7', '2')))).toEqual(['1', '2']);
});

test('the order of ids is that of their bytes, however their text is held', () => {
  const id = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', 'Ł', '漢', '\uffee', '😀'),
    minLength: 1,
    maxLength: 3,
  });
  const byBytes = (one: string, other: string) =>
    Buffer.byteLength(one) - Buffer.byteLength(other) || Buffer.compare(Buffer.from(one), Buffer.from(other));
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 12, maxLength: 20 }), fc.nat(5), (ids, place) => {
      const sorted = ids.toSorted(byBytes);
      const [second = '', first = '', cursor = ''] = sorted.slice(place);
      for (const text of [WIRE_TEXT, DECODED_TEXT]) {
        const rowsBefore = new RowsBefore({ part: null, cursor, before: [first, second] }, text);
        expect(rowsBefore.startAnew()).toBe(true);
        const after = rowsBefore.skip(sorted.map((value) => ({ id: text.encode(value) })));
        expect(after).toEqual(sorted.slice(place + 3).map((value) => ({ id: text.encode(value) })));
      }
    }),
  );
});
