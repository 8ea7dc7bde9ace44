import { fromLatin1 } from './latin1.ts';
import type { Page, Row } from './resource.ts';

/**
 * A place in a list. A list whose filter is too long for one URL is read as several parts, one after another, so
 * a place is a part, null where the list was read whole, and the service's own cursor in it.
 */
export interface Position {
  readonly part: number | null;
  readonly cursor: string;
}

export interface ListPage<R extends Row> extends Omit<Page<R>, 'bytes'> {
  readonly part: number | null;
}

export interface List<R extends Row> {
  /** None of them is empty, so that the list begins and ends with a row. */
  readonly pages: readonly ListPage<R>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** The first `count` rows of a list that may hold more. */
export function take<R extends Row>(list: List<R>, count: number): List<R> {
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

export function rowsOf<R extends Row>(list: List<R>): readonly R[] {
  const [first, ...more] = list.pages;
  return first && more.length === 0 ? first.rows : list.pages.flatMap((page) => page.rows);
}

export function edgesOf<R extends Row>(list: List<R>): { row: R; position: Position }[] {
  return list.pages.flatMap((page) =>
    page.rows.map((row, index) => ({ row, position: positionOf(page, row, index) })),
  );
}

/** The places of the first and the last row; absent from a list without rows. */
export function endsOf<R extends Row>({ pages }: List<R>): { start?: Position; end?: Position } {
  const start = pages[0]?.rows[0];
  const last = pages.at(-1);
  const end = last?.rows.at(-1);
  return {
    ...(pages[0] && start && { start: positionOf(pages[0], start, 0) }),
    ...(last && end && { end: positionOf(last, end, last.rows.length - 1) }),
  };
}

/** A row's identifier is its cursor; where a page ends, the service itself has said what is. */
function positionOf<R extends Row>(page: ListPage<R>, row: R, index: number): Position {
  const { part, rows, cursor } = page;
  return { part, cursor: (index === rows.length - 1 && cursor) || fromLatin1(row.id) };
}
