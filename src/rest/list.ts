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
  /** Of each part with rows: the index of its first row, and its own. */
  readonly segments: readonly { readonly start: number; readonly segment: number | null }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly after?: ListPosition | undefined;
  /** The service's cursor behind the last row, if there is one. */
  readonly endCursor?: string | undefined;
  /** Why it has fewer rows than requested, although more may follow. */
  readonly failure?: Error | undefined;
}

/**
 * Reads pages of a collection until it has `first` rows or the collection ends. Has all rows that were read, also if not
 * all could be: then with the error. Does not reject.
 */
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
        const known = rows.length;
        for (const row of page.rows) {
          // It may have moved to a later page between calls. Invalid rows have no id to compare.
          if (isRow(row) && ids.size === ids.add(row.internalId).size) continue;
          rows.push(row);
        }
        // The last page may be empty, if a service sends a cursor with every full page.
        if (rows.length > known && starts.at(-1)?.segment !== index)
          starts.push({ start: known, segment: index });
        endCursor = page.cursor;
        if (rows.length >= first) break;
      }
      // Whether more follow behind the last row of a part, the next one tells.
      if (rows.length > first || endCursor !== undefined) break;
    }
  } catch (error) {
    failure =
      error instanceof CallBudgetExceeded ? new CallBudgetExceeded(error.used, rows.length) : asError(error);
  }
  const hasNextPage = endCursor !== undefined;
  return { rows, segments: starts, hasNextPage, hasPreviousPage: !!after, after, endCursor, failure };
}

/**
 * The parts of a list, from the one that contains `after`, by their index: null if the list is read whole. What was read
 * whole so far has no parts to go on with.
 */
function splitIntoSegments(
  { service }: RestSession,
  resource: Resource,
  { filters: given, after }: ListRequest,
  fields: FieldTree,
): (readonly [index: number | null, FilterSegment])[] {
  // Without duplicate values, and in one order: the service returns records in its own.
  const filters: Record<string, string | readonly string[]> = {};
  for (const [argument, value] of Object.entries(given))
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
    '`after` is not a cursor of this list, or more fields are selected than fit beside its filter.',
  );
}

export function createList(rows: readonly RowOrError[]): List {
  return { rows, segments: [], hasNextPage: false, hasPreviousPage: false };
}

/** The first `count` rows; the error if the list failed before it had them, and knew whether more follow. */
export function takeFirst({ failure, ...list }: List, count: number): List | Error {
  const { rows, hasNextPage } = list;
  if (failure && (rows.length < count || (rows.length === count && !hasNextPage))) return failure;
  if (rows.length <= count) return list;
  return { ...list, rows: rows.slice(0, count), hasNextPage: true, endCursor: undefined };
}

/**
 * The position of a row, whose id is its cursor. An invalid row has that of the last valid record before it, so that it
 * comes again; the last one has the service's own cursor, so that paging continues. If there is none, its error.
 */
export function getPosition(list: List, row: RowOrError, index: number): ListPosition | RestError {
  const { rows, segments, after, endCursor } = list;
  const { start = 0, segment = null } = segments.findLast((one) => one.start <= index) ?? {};
  if (!isRow(row) && endCursor !== undefined && index === rows.length - 1)
    return { segment, cursor: endCursor };
  const ids: string[] = [];
  for (let at = index; at >= start && ids.length <= ROWS_BEFORE; at -= 1) {
    const earlier = rows[at];
    if (isRow(earlier)) ids.push(earlier.internalId);
  }
  if (after?.fallbackCursors && after.segment === segment) ids.push(after.cursor, ...after.fallbackCursors);
  const [cursor] = ids;
  if (cursor !== undefined) return { segment, cursor, fallbackCursors: ids.slice(1, ROWS_BEFORE + 1) };
  return isRow(row) ? { segment, cursor: row.internalId } : row;
}
