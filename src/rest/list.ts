import { asError, badInput, CallBudgetExceeded, type RestError } from './errors.ts';
import type { FieldTree } from './fields.ts';
import { createPageReader, type ListPosition, ROWS_BEFORE, readListPage } from './pages.ts';
import { type FilterSegment, splitFilters } from './query.ts';
import { type FilterValues, isRow, type Resource, type RowOrError, withRequiredFields } from './resource.ts';
import type { RestSession } from './session.ts';

export interface ListRequest {
  readonly filters: FilterValues;
  readonly fields: FieldTree;
  readonly first: number;
  readonly after?: ListPosition | undefined;
}

export interface List {
  readonly rows: readonly RowOrError[];
  readonly segments: readonly { readonly start: number; readonly segment: number | null }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly after?: ListPosition | undefined;
  /** The service's cursor after the last row, if it sent one. */
  readonly endCursor?: string | undefined;
  readonly failure?: Error | undefined;
}

/** Reads pages until it has `first` rows or the list ends. Does not reject: a failed list has the rows read so far. */
export async function readList(
  session: RestSession,
  resource: Resource,
  request: ListRequest,
): Promise<List> {
  const { first, after } = request;
  const fields = withRequiredFields(resource, request.fields);
  const rows: RowOrError[] = [];
  const starts: { readonly start: number; readonly segment: number | null }[] = [];
  const ids = new Set<string>();
  let endCursor: string | undefined;
  let failure: Error | undefined;
  try {
    for (const [index, segment] of splitIntoSegments(session, resource, request, fields)) {
      const options = { segment, fields, after: after?.segment === index ? after : undefined };
      const next = createPageReader(session, resource, readListPage, options);
      const read = () => next(Math.max(1, first - rows.length));
      for (let page = await read(); page; page = await read()) {
        const rowsBefore = rows.length;
        for (const row of page.rows) {
          // A row may move to a later page between calls. Invalid rows have no id to compare.
          if (isRow(row) && ids.size === ids.add(row.internalId).size) continue;
          rows.push(row);
        }
        // The last page may be empty, if a service sends a cursor with every full page.
        if (rows.length > rowsBefore && starts.at(-1)?.segment !== index)
          starts.push({ start: rowsBefore, segment: index });
        endCursor = page.cursor;
        if (rows.length >= first) break;
      }
      // Only the next segment shows whether more rows follow.
      if (rows.length > first || endCursor !== undefined) break;
    }
  } catch (error) {
    failure =
      error instanceof CallBudgetExceeded ? new CallBudgetExceeded(error.used, rows.length) : asError(error);
  }
  const hasNextPage = endCursor !== undefined;
  return { rows, segments: starts, hasNextPage, hasPreviousPage: !!after, after, endCursor, failure };
}

/** Returns the segments from that of `after` on. The index is null if one URL holds the whole filter. */
function splitIntoSegments(
  { service }: RestSession,
  resource: Resource,
  { filters: requested, after }: ListRequest,
  fields: FieldTree,
): (readonly [index: number | null, FilterSegment])[] {
  // Equal filters give equal segments: the service returns records in its own order.
  const filters: Record<string, string | readonly string[]> = {};
  for (const [argument, value] of Object.entries(requested))
    filters[argument] = typeof value === 'string' ? value : [...new Set(value)].sort();
  if (Object.values(filters).some((value) => value.length === 0)) return [];
  if (!after || after.segment === null) {
    const [whole, ...more] = splitFilters(service, resource, filters, fields);
    if (whole && more.length === 0) return [[null, whole]];
  }
  const segments = splitFilters(service, resource, filters);
  const start = after ? (after.segment ?? segments.length) : 0;
  if (start < segments.length) return [...segments.entries()].slice(start);
  throw badInput(
    '`after` is not a cursor of this list, or the filter and selected fields do not fit into one URL.',
  );
}

export function createList(rows: readonly RowOrError[]): List {
  return { rows, segments: [], hasNextPage: false, hasPreviousPage: false };
}

export function takeFirst(list: List, count: number): List | Error {
  const { rows, hasNextPage, failure } = list;
  if (failure && (rows.length < count || (rows.length === count && !hasNextPage))) return failure;
  if (rows.length <= count) return list;
  return { ...list, rows: rows.slice(0, count), hasNextPage: true, endCursor: undefined };
}

/**
 * Returns where to continue after a row. An invalid row has the position of the last valid record before it, so that it
 * comes again, or its error if there is none. An invalid last row has the service's cursor, so that paging continues.
 */
export function getPosition(list: List, row: RowOrError, index: number): ListPosition | RestError {
  const { rows, segments, after, endCursor } = list;
  const { start, segment } = segments.findLast((each) => each.start <= index) ?? { start: 0, segment: null };
  if (!isRow(row) && endCursor !== undefined && index === rows.length - 1)
    return { segment, cursor: endCursor };
  const ids: string[] = [];
  for (let at = index; at >= start && ids.length <= ROWS_BEFORE; at -= 1) {
    const earlier = rows[at];
    if (isRow(earlier)) ids.push(earlier.internalId);
  }
  if (ids.length <= ROWS_BEFORE && after?.fallbackCursors && after.segment === segment)
    ids.push(after.cursor, ...after.fallbackCursors);
  const [cursor] = ids;
  if (cursor !== undefined) return { segment, cursor, fallbackCursors: ids.slice(1, ROWS_BEFORE + 1) };
  return isRow(row) ? { segment, cursor: row.internalId } : row;
}
