import { badInput } from './errors.ts';
import type { Fields } from './fields.ts';
import { type Page, readPages } from './page.ts';
import { MAX_PER_PAGE, splitQuery } from './query.ts';
import type { FilterValues, Resource, Row } from './resource.ts';
import type { RestSession } from './session.ts';

/**
 * A place in a list. A list whose filter is too long for one URL is read as several parts, one after
 * another, so a place is a part and the service's own cursor in it.
 */
export interface Position {
  readonly part: number;
  readonly cursor: string;
}

export interface ListRequest {
  readonly filters: FilterValues;
  readonly fields: Fields;
  readonly first: number;
  readonly after?: Position;
}

interface ListPage<R extends Row> extends Page<R> {
  readonly part: number;
}

export interface List<R extends Row> {
  readonly pages: readonly ListPage<R>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** Walks the pages of a collection until `first` rows are there or the collection ends. */
export async function readList<R extends Row>(
  session: RestSession,
  resource: Resource<R>,
  { filters, fields, first, after }: ListRequest,
): Promise<List<R>> {
  const hasPreviousPage = after !== undefined;
  if (Object.values(filters).some((value) => value.length === 0)) {
    return { pages: [], hasNextPage: false, hasPreviousPage };
  }

  const whole = { filters, fields, perPage: MAX_PER_PAGE };
  const parts = splitQuery(resource, session.parameterNames, whole, session.client.baseLength);
  if (after && after.part >= parts.length) throw badInput('`after` is not a cursor of this list.');
  const pages: ListPage<R>[] = [];
  let missing = first;
  const wanted = () => Math.min(missing, MAX_PER_PAGE);
  for (const [part, partFilters] of parts.entries()) {
    if (part < (after?.part ?? 0)) continue;
    const cursor = part === after?.part ? after.cursor : undefined;
    for await (const page of readPages(session, resource, { filters: partFilters, fields, cursor }, wanted)) {
      pages.push({ ...page, part });
      missing -= page.rows.length;
      if (missing <= 0) {
        const hasNextPage = page.cursor !== undefined || part + 1 < parts.length;
        return take({ pages, hasNextPage, hasPreviousPage }, first);
      }
    }
  }
  return { pages, hasNextPage: false, hasPreviousPage };
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
function positionOf<R extends Row>({ part, rows, cursor }: ListPage<R>, row: R, index: number): Position {
  return { part, cursor: index === rows.length - 1 ? (cursor ?? row.id) : row.id };
}
