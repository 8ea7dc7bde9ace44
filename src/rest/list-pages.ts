import { RestError } from './errors.ts';
import { isRow, type Page, type ReadRow } from './resource.ts';

/** How many rows before a row its position names. */
export const ROWS_BEFORE = 2;

/**
 * A position in a list. A list whose filter is too long for one URL is read as several parts, one after another, so a
 * position is the index of a part (null if the list was read whole) and the service's cursor within it.
 */
export interface ListPosition {
  readonly part: number | null;
  readonly cursor: string;
  /** The ids of a few rows before it, the nearest first, should its own be deleted. Absent if its cursor is not its id. */
  readonly before?: readonly string[];
}

/** A page of the service, of which the list has at least one row. */
export interface ListPage extends Pick<Page, 'cursor'> {
  /** The index of its first row. */
  readonly start: number;
  readonly part: number | null;
}

export interface List {
  readonly rows: readonly ReadRow[];
  readonly pages: readonly ListPage[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly after?: ListPosition | undefined;
  /** Why it has fewer rows than requested, although more may follow. */
  readonly failure?: Error;
}

/** A list of these rows, to which nothing has to be added. */
export function listOf(rows: readonly ReadRow[]): List {
  return { rows, pages: [], hasNextPage: false, hasPreviousPage: false };
}

/** The first `count` rows; the error if the list failed before it had them, and knew whether more follow. */
export function firstRowsOrError({ failure, ...list }: List, count: number): List | Error {
  const { rows, pages, hasNextPage } = list;
  if (failure && (rows.length < count || (rows.length === count && !hasNextPage))) return failure;
  if (rows.length <= count) return list;
  const kept = pages.filter(({ start }) => start < count);
  const { start = 0, part = null } = kept.pop() ?? {};
  const isCut = count < (pages[kept.length + 1]?.start ?? rows.length);
  const last = isCut ? { start, part } : pages[kept.length];
  return { ...list, rows: rows.slice(0, count), pages: last ? [...kept, last] : kept, hasNextPage: true };
}

export interface Edge {
  readonly row: ReadRow;
  readonly list: List;
  readonly index: number;
}

export function edgesOf(list: List): Edge[] {
  return list.rows.map((row, index) => ({ row, list, index }));
}

/**
 * The position of a row. A row's id is its cursor; for the last row of a page the service's own cursor is used. An
 * invalid row has the position of the last valid record before it: reading on from there returns it again, and skips
 * nothing. If its page starts with an invalid row there is no such record, and the error is returned.
 */
export function positionOf({ list, index, row }: Edge): ListPosition | RestError {
  const { rows, pages, after } = list;
  const page = pages.findLastIndex(({ start }) => start <= index);
  const { start = 0, part = null, cursor } = pages[page] ?? {};
  const isLast = index + 1 === (pages[page + 1]?.start ?? rows.length);
  if (cursor !== undefined && isLast && !(isRow(row) && row.internalId === cursor)) return { part, cursor };
  let at = index;
  while (at > start && rows[at] instanceof RestError) at -= 1;
  const valid = rows[at] ?? row;
  if (valid instanceof RestError) return valid;
  const before: string[] = [];
  const partStart = pages.find((one) => one.part === part)?.start ?? 0;
  for (at -= 1; at >= partStart && before.length < ROWS_BEFORE; at -= 1) {
    const earlier = rows[at];
    if (isRow(earlier)) before.push(earlier.internalId);
  }
  if (after?.before && after.part === part) before.push(after.cursor, ...after.before);
  return { part, cursor: valid.internalId, before: before.slice(0, ROWS_BEFORE) };
}
