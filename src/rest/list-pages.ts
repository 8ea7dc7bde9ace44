import { RestError } from './errors.ts';
import { fromLatin1 } from './latin1.ts';
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

/** A row and its position. */
export interface Edge<R extends Row> {
  readonly row: ReadRow<R>;
  readonly position: Position | RestError;
}

export function edgesOf<R extends Row>(list: List<R>): Edge<R>[] {
  return list.pages.flatMap((page) => {
    let latest: R | undefined;
    return page.rows.map((row, index) => {
      if (!(row instanceof RestError)) latest = row;
      return { row, position: positionOf(page, index, latest ?? row) };
    });
  });
}

/** The positions of the first and last row; absent if the list has no rows. */
export function endsOf<R extends Row>({
  pages,
}: List<R>): { readonly start?: Edge<R>['position']; readonly end?: Edge<R>['position'] } {
  const [first] = pages;
  const start = first?.rows[0];
  const last = pages.at(-1);
  const end = last?.rows.findLast(isRow<R>) ?? last?.rows.at(-1);
  return {
    ...(first && start && { start: positionOf(first, 0, start) }),
    ...(last && end && { end: positionOf(last, last.rows.length - 1, end) }),
  };
}

/**
 * A row's id is its cursor; for the last row of a page the service's own cursor is used. An invalid row gets the cursor
 * of the last valid record before it: reading on from there returns it again, and skips nothing. If the page starts
 * with an invalid row there is no such record, and the position is that row's error.
 */
function positionOf<R extends Row>(
  { part, rows, cursor }: ListPage<R>,
  index: number,
  latest: ReadRow<R>,
): Edge<R>['position'] {
  if (cursor !== undefined && index === rows.length - 1) return { part, cursor };
  return latest instanceof RestError ? latest : { part, cursor: fromLatin1(latest.id) };
}
