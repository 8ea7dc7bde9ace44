import { expect, test } from 'vitest';
import { invalid, RestError } from '../../src/rest/errors.ts';
import {
  type Edge,
  edgesOf,
  endsOf,
  firstRows,
  type ListPage,
  positionOf,
  rowsOf,
} from '../../src/rest/list-pages.ts';
import { WIRE_TEXT } from '../../src/rest/wire-text.ts';

const BROKEN = invalid({ method: 'GET', path: '/things' }, 'nothing');

/** Rows by their ids, `!` for a broken one. */
function page(ids: string, cursor?: string): ListPage {
  const rows = Array.from(ids, (id) => (id === '!' ? BROKEN : { id: WIRE_TEXT.encode(id) }));
  return { part: null, rows, ...(cursor !== undefined && { cursor: WIRE_TEXT.encode(cursor) }) };
}

const listOf = (pages: readonly ListPage[]) => ({ pages, hasNextPage: false, hasPreviousPage: false });
const shown = (edge: Edge | undefined) => {
  if (edge === undefined) return '';
  const position = positionOf(edge);
  return position instanceof RestError ? '!' : String(position.cursor);
};

test.each<[string, readonly ListPage[], string, string, string]>([
  ['no rows', [], '', '', ''],
  ['sound rows', [page('abc')], 'abc', 'a', 'c'],
  ["the service's own cursor at the end", [page('abc', 'Z')], 'abZ', 'a', 'Z'],
  ['two pages', [page('ab', 'Y'), page('cd')], 'aYcd', 'a', 'd'],
  ['a broken row between', [page('a!c')], 'aac', 'a', 'c'],
  ['broken rows at the end', [page('ab!!')], 'abbb', 'a', 'b'],
  ['a broken row at the end of a page with a cursor', [page('ab!', 'Z')], 'abZ', 'a', 'Z'],
  ['a broken row at the start', [page('!bc')], '!bc', '!', 'c'],
  ['a broken row at the start of a later page', [page('ab', 'Y'), page('!d')], 'aY!d', 'a', 'd'],
  ['broken rows alone', [page('!!')], '!!', '!', '!'],
  ['broken rows alone, with a cursor', [page('!!', 'Z')], '!Z', '!', 'Z'],
])('cursors of a list with %s', (_what, pages, cursors, start, end) => {
  const list = listOf(pages);
  expect(edgesOf(list).map(shown)).toEqual([...cursors]);
  expect(edgesOf(list).map(({ row }) => row)).toEqual(rowsOf(list));
  const ends = endsOf(list);
  expect([shown(ends.start), shown(ends.end)]).toEqual([start, end]);
});

test.each([
  [1, 'a', true],
  [2, 'aa', true],
  [3, 'aaY', true],
  [4, 'aaY!', true],
  [5, 'aaY!e', true],
  [6, 'aaY!ef', false],
])('the first %i rows of a list', (count, cursors, hasNextPage) => {
  const list = firstRows(listOf([page('a!c', 'Y'), page('!ef')]), count);
  expect(rowsOf(list)).toHaveLength(count);
  expect(edgesOf(list).map(shown).join('')).toBe(cursors);
  expect(list.hasNextPage).toBe(hasNextPage);
});
