import { RestError } from './errors.ts';
import { type Latin1, toLatin1 } from './latin1.ts';
import { isRow } from './page-body.ts';
import type { Page, ReadRow, Row } from './resource.ts';

/**
 * A position in a list. A list whose filter is too long for one URL is read as several parts, one after another, so a
 * position is the index of a part (null if the list was read whole) and the service's cursor within it.
 */
export interface Position {
  readonly part: number | null;
  readonly cursor: string;
}

export interface ListPage<R extends Row> extends Pick<Page<R>, 'rows' | 'cursor'> {
  readonly part: number | null;
}

export interface List<R extends Row> {
  /** No page is empty, so the list starts and ends with a row. */
  readonly pages: readonly ListPage<R>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** The first `count` rows of a list that may hold more. */
export function firstRows<R extends Row>(list: List<R>, count: number): List<R> {
  const pages: ListPage<R>[] = [];
  let missing = count;
  for (const page of list.pages) {
    if (page.rows.length > missing) {
      if (missing > 0) pages.push({ part: page.part, rows: page.rows.slice(0, missing) });
      return { ...list, pages, hasNextPage: true };
    }
    pages.push(page);
    missing -= page.rows.length;
  }
  return { ...list, pages };
}

export function rowsOf<R extends Row>(list: List<R>): readonly ReadRow<R>[] {
  const [first, ...more] = list.pages;
  return first && more.length === 0 ? first.rows : list.pages.flatMap((page) => page.rows);
}

/** Where a row stands, in the service's own text; the error of an invalid row that no record precedes. */
interface RowPosition {
  readonly part: number | null;
  readonly cursor: Latin1 | RestError;
}

/** A row and its position. */
export interface Edge<R extends Row> extends RowPosition {
  readonly row: ReadRow<R>;
}

export function edgesOf<R extends Row>(list: List<R>): Edge<R>[] {
  const edges: Edge<R>[] = [];
  for (const page of list.pages) {
    const { part, rows } = page;
    let latest: R | undefined;
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index];
      if (row === undefined) continue;
      if (!(row instanceof RestError)) latest = row;
      edges.push({ row, part, cursor: cursorOf(page, index, latest ?? row) });
    }
  }
  return edges;
}

/** The positions of the first and last row; absent if the list has no rows. */
export function endsOf<R extends Row>({
  pages,
}: List<R>): { readonly start?: RowPosition; readonly end?: RowPosition } {
  const [first] = pages;
  const start = first?.rows[0];
  const last = pages.at(-1);
  const end = last?.rows.findLast(isRow<R>) ?? last?.rows.at(-1);
  return {
    ...(first && start && { start: { part: first.part, cursor: cursorOf(first, 0, start) } }),
    ...(last && end && { end: { part: last.part, cursor: cursorOf(last, last.rows.length - 1, end) } }),
  };
}

/**
 * A row's id is its cursor; for the last row of a page the service's own cursor is used. An invalid row gets the cursor
 * of the last valid record before it: reading on from there returns it again, and skips nothing. If the page starts
 * with an invalid row there is no such record, and its error stands for the cursor.
 */
function cursorOf<R extends Row>(
  { rows, cursor }: ListPage<R>,
  index: number,
  latest: ReadRow<R>,
): RowPosition['cursor'] {
  if (cursor !== undefined && index === rows.length - 1) return toLatin1(cursor);
  return latest instanceof RestError ? latest : latest.id;
}
