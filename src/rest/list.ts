import { textOf } from './bytes.ts';
import { badInput } from './errors.ts';
import type { Fields } from './fields.ts';
import { walkPages } from './page.ts';
import { MAX_PER_PAGE, type Part, roomBeside, splitFilters } from './query.ts';
import { type FilterValues, type Page, type Resource, type Row, withReads } from './resource.ts';
import type { RestSession } from './session.ts';

/**
 * A place in a list. A list whose filter is too long for one URL is read as several parts, one after another, so
 * a place is a part, null where the list was read whole, and the service's own cursor in it.
 */
export interface Position {
  readonly part: number | null;
  readonly cursor: string;
}

/** Kept free for `fields` where a list is cut, whatever is selected, so that every page is cut in the same places. */
const FIELDS_ROOM = 1500;

export interface ListRequest {
  readonly filters: FilterValues;
  readonly fields: Fields;
  readonly first: number;
  readonly after?: Position;
}

interface ListPage<R extends Row> extends Omit<Page<R>, 'bytes'> {
  readonly part: number | null;
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
  request: ListRequest,
): Promise<List<R>> {
  const { first, after } = request;
  const filters = withoutDoubles(request.filters);
  const fields = withReads(resource, request.fields);
  const hasPreviousPage = after !== undefined;
  if (Object.values(filters).some((value) => value.length === 0)) {
    return { pages: [], hasNextPage: false, hasPreviousPage };
  }

  const parts = partsOf(session, resource, { ...request, filters, fields });
  const pages: ListPage<R>[] = [];
  let missing = first;
  let isMore = false;
  for (const { index, part } of parts) {
    await walkPages(session, resource, {
      part,
      fields,
      cursor: index === after?.part ? after?.cursor : undefined,
      // At the end of a part one row more is asked for: it tells whether anything follows.
      wanted: () => Math.max(1, Math.min(missing, MAX_PER_PAGE)),
      visit(page) {
        pages.push({ ...page, part: index });
        missing -= page.rows.length;
        isMore = page.cursor !== undefined;
        return missing > 0;
      },
      keep: true,
    });
    if (missing < 0 || (missing === 0 && isMore)) break;
  }
  return take({ pages, hasNextPage: isMore, hasPreviousPage }, first);
}

/** The parts of a list from the one on where a page starts; without an index where it is read whole. */
function partsOf(
  { parameterNames, client }: RestSession,
  resource: Resource,
  { filters, fields, after }: ListRequest,
): { readonly index: number | null; readonly part: Part }[] {
  const split = (room: number) => splitFilters(resource, parameterNames, filters, room);
  const whole = split(roomBeside(resource, client.baseLength, fields));
  const [only] = whole;
  if (after ? after.part === null : whole.length === 1) {
    if (only === undefined || whole.length > 1)
      throw badInput('Select fewer fields, as for the page before: this list was read whole.');
    return [{ index: null, part: only }];
  }
  const parts = split(roomBeside(resource, client.baseLength, {}) + FIELDS_ROOM);
  const start = after?.part ?? 0;
  if (start >= parts.length) throw badInput('`after` is not a cursor of this list.');
  return parts.map((part, index) => ({ index, part })).slice(start);
}

/** The same value twice in a filter finds nothing more. */
function withoutDoubles(filters: FilterValues): FilterValues {
  return Object.fromEntries(
    Object.entries(filters).map(([argument, value]) => [
      argument,
      typeof value === 'string' ? value : [...new Set(value)],
    ]),
  );
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
  return { part, cursor: (index === rows.length - 1 && cursor) || textOf(row.id) };
}
