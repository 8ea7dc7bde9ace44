import { describe, expect, test } from 'vitest';
import { RestError } from '../../src/rest/errors.ts';
import {
  type Edge,
  edgesOf,
  encodePosition,
  endsOf,
  firstRows,
  firstRowsOrError,
  type List,
  type ListPosition,
  positionOf,
  rowsOf,
} from '../../src/rest/list-pages.ts';
import type { ReadRow, Row } from '../../src/rest/resource.ts';
import { WIRE_TEXT } from '../../src/rest/wire-text.ts';

const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id: WIRE_TEXT.encode(id) }));

const idOf = (row: ReadRow) => (row instanceof RestError ? null : WIRE_TEXT.decode(row.id));
/** The position of a row: its part, its cursor, the rows before it, and `^` if these are all. */
function placeOf(edge: Edge | undefined): string {
  const position = edge && positionOf(edge);
  if (position === undefined || position instanceof RestError) return 'none';
  const { part, cursor, before, isFromStart } = position;
  return `${part ?? ''}${isFromStart ? '^' : ':'}${[cursor, ...(before ?? [])].join(' ')}`;
}

/** Two pages of REST, of which the first says itself where the next one starts. */
const TWO: List = {
  pages: [
    { part: null, rows: rows('a', 'b', 'c'), cursor: WIRE_TEXT.encode('after-c') },
    { part: null, rows: rows('d', 'e') },
  ],
  hasNextPage: false,
  hasPreviousPage: true,
};
const EMPTY: List = { pages: [], hasNextPage: false, hasPreviousPage: false };

describe('the first rows of a list', () => {
  test.each([
    [0, [], true],
    [1, ['a'], true],
    [3, ['a', 'b', 'c'], true],
    [4, ['a', 'b', 'c', 'd'], true],
    [5, ['a', 'b', 'c', 'd', 'e'], false],
    [6, ['a', 'b', 'c', 'd', 'e'], false],
  ])('%i of five', (count, ids, hasNextPage) => {
    const taken = firstRows(TWO, count);
    expect(rowsOf(taken).map(idOf)).toEqual(ids);
    expect(taken).toMatchObject({ hasNextPage, hasPreviousPage: true });
  });

  test('keep that more follow where all rows are taken', () => {
    expect(firstRows({ ...TWO, hasNextPage: true }, 5).hasNextPage).toBe(true);
  });

  test('leave the list as it was', () => {
    firstRows(TWO, 1);
    expect(rowsOf(TWO)).toHaveLength(5);
  });

  test('end with the cursor of a row, not with that of the page that was cut', () => {
    expect(placeOf(endsOf(firstRows(TWO, 2)).end)).toBe('^b a');
    expect(placeOf(endsOf(firstRows(TWO, 3)).end)).toBe(':after-c');
  });
});

describe('the first rows of a list that failed', () => {
  const failure = new Error('no more');
  const failed = (hasNextPage: boolean) => ({ ...TWO, hasNextPage, failure });

  test.each([
    [4, false, 4],
    [5, true, 5],
    [5, false, null],
    [6, true, null],
    [6, false, null],
  ])('%i of five, of which it is known that more follow: %s', (count, hasNextPage, length) => {
    const taken = firstRowsOrError(failed(hasNextPage), count);
    if (length === null) expect(taken).toBe(failure);
    else expect(taken).toEqual(firstRows({ ...TWO, hasNextPage }, length));
  });
});

describe('the rows of a list', () => {
  test('are those of its pages, in order', () => {
    expect(rowsOf(TWO).map(idOf)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(rowsOf(EMPTY)).toEqual([]);
  });

  test('of one page are not copied', () => {
    const only = rows('a');
    expect(rowsOf({ ...EMPTY, pages: [{ part: null, rows: only }] })).toBe(only);
  });
});

const startOf = (position: Partial<ListPosition>) =>
  encodePosition({ part: null, cursor: 'z', ...position }, WIRE_TEXT);

describe('the positions of a list', () => {
  test.each<[what: string, list: List, positions: string[]]>([
    [
      "are the rows' ids, and where a page ends what the service said",
      TWO,
      ['^a', '^b a', ':after-c', ':d c b', ':e d c'],
    ],
    [
      'name the rows of the page before',
      { ...TWO, pages: TWO.pages.map(({ rows: read }) => ({ part: null, rows: read })) },
      ['^a', '^b a', '^c b a', ':d c b', ':e d c'],
    ],
    [
      'start anew with each part',
      {
        ...EMPTY,
        pages: [
          { part: 0, rows: rows('a', 'b') },
          { part: 3, rows: rows('c', 'd') },
        ],
      },
      ['0^a', '0^b a', '3^c', '3^d c'],
    ],
    [
      'go on from the position that the list starts after',
      {
        ...EMPTY,
        after: startOf({ before: ['y', 'x'] }),
        pages: [{ part: null, rows: rows('a', 'b', 'c') }],
      },
      [':a z y', ':b a z', ':c b a'],
    ],
    [
      'know the start from the position that the list starts after',
      {
        ...EMPTY,
        after: startOf({ before: [], isFromStart: true }),
        pages: [{ part: null, rows: rows('a', 'b') }],
      },
      ['^a z', '^b a z'],
    ],
    [
      'name no rows before a position that names none',
      { ...EMPTY, after: startOf({}), pages: [{ part: null, rows: rows('a', 'b', 'c') }] },
      [':a', ':b a', ':c b a'],
    ],
    [
      'name no rows of the part before',
      { ...EMPTY, after: startOf({ part: 1, before: ['y'] }), pages: [{ part: 2, rows: rows('a') }] },
      ['2^a'],
    ],
  ])('%s', (_what, list, positions) => {
    expect(edgesOf(list).map(placeOf)).toEqual(positions);
    const { start, end } = endsOf(list);
    expect([placeOf(start), placeOf(end)]).toEqual([positions[0], positions.at(-1)]);
  });

  test('are text of the service, as rows are', () => {
    const list = { ...EMPTY, pages: [{ part: null, rows: rows('é', 'ü'), cursor: WIRE_TEXT.encode('ñ') }] };
    expect(edgesOf(list).map(placeOf)).toEqual([`^${WIRE_TEXT.encode('é')}`, `:${WIRE_TEXT.encode('ñ')}`]);
  });

  test.each([
    ['no pages', EMPTY],
    ['a page without rows', { ...EMPTY, pages: [{ part: null, rows: [] }] }],
  ])('are missing where there are %s', (_what, list) => {
    expect(endsOf(list)).toEqual({});
    expect(edgesOf(list)).toEqual([]);
  });
});
