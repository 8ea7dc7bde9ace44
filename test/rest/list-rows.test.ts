import { describe, expect, test } from 'vitest';
import { RestError } from '../../src/rest/errors.ts';
import { fromLatin1, toLatin1 } from '../../src/rest/latin1.ts';
import { type Edge, edgesOf, endsOf, firstRows, type List, rowsOf } from '../../src/rest/list-pages.ts';
import type { ReadRow, Row } from '../../src/rest/resource.ts';

const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id: toLatin1(id) }));

const idOf = (row: ReadRow<Row>) => (row instanceof RestError ? null : fromLatin1(row.id));
const cursorOf = ({ cursor }: Edge<Row>) => (cursor instanceof RestError ? null : fromLatin1(cursor));

/** Two pages of REST, of which the first says itself where the next one starts. */
const TWO: List<Row> = {
  pages: [
    { part: null, rows: rows('a', 'b', 'c'), cursor: 'after-c' },
    { part: null, rows: rows('d', 'e') },
  ],
  hasNextPage: false,
  hasPreviousPage: true,
};
const EMPTY: List<Row> = { pages: [], hasNextPage: false, hasPreviousPage: false };

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
    expect(endsOf(firstRows(TWO, 2)).end).toEqual({ part: null, cursor: 'b' });
    expect(endsOf(firstRows(TWO, 3)).end).toEqual({ part: null, cursor: 'after-c' });
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

describe('the cursors of a list', () => {
  test('are the ids of its rows, and where a page ends what the service said', () => {
    expect(edgesOf(TWO).map((edge) => [idOf(edge.row), cursorOf(edge)])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'after-c'],
      ['d', 'd'],
      ['e', 'e'],
    ]);
  });

  test('name the part of a list that was read in parts', () => {
    const parts: List<Row> = {
      ...EMPTY,
      pages: [
        { part: 0, rows: rows('a') },
        { part: 3, rows: rows('b') },
      ],
    };
    expect(edgesOf(parts)).toMatchObject([
      { part: 0, cursor: 'a' },
      { part: 3, cursor: 'b' },
    ]);
    expect(endsOf(parts)).toEqual({ start: { part: 0, cursor: 'a' }, end: { part: 3, cursor: 'b' } });
  });

  test('are Latin-1, as rows are', () => {
    const list = { ...EMPTY, pages: [{ part: null, rows: rows('é', 'ü'), cursor: 'ñ' }] };
    expect(edgesOf(list).map(cursorOf)).toEqual(['é', 'ñ']);
    expect(edgesOf(list).map(({ cursor }) => cursor)).toEqual(['é', 'ñ'].map(toLatin1));
  });

  test('at its ends are those of its first and its last row', () => {
    expect(endsOf(TWO)).toEqual({ start: { part: null, cursor: 'a' }, end: { part: null, cursor: 'e' } });
  });

  test.each([
    ['no pages', EMPTY],
    ['a page without rows', { ...EMPTY, pages: [{ part: null, rows: [] }] }],
  ])('are missing where there are %s', (_what, list) => {
    expect(endsOf(list)).toEqual({});
    expect(edgesOf(list)).toEqual([]);
  });
});
