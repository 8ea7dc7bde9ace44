import type { RestError } from './errors.ts';
import { isRow, type ReadRow } from './resource.ts';

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

export interface List {
  readonly rows: readonly ReadRow[];
  /** Of each part with rows: the index of its first row, and its own. */
  readonly parts: readonly { readonly start: number; readonly part: number | null }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly after?: ListPosition | undefined;
  /** The service's cursor behind the last row, if there is one. */
  readonly endCursor?: string | undefined;
  /** Why it has fewer rows than requested, although more may follow. */
  readonly failure?: Error | undefined;
}

/** A list of these rows, to which nothing has to be added. */
export function listOf(rows: readonly ReadRow[]): List {
  return { rows, parts: [], hasNextPage: false, hasPreviousPage: false };
}

/** The first `count` rows; the error if the list failed before it had them, and knew whether more follow. */
export function firstRowsOrError({ failure, ...list }: List, count: number): List | Error {
  const { rows, hasNextPage } = list;
  if (failure && (rows.length < count || (rows.length === count && !hasNextPage))) return failure;
  if (rows.length <= count) return list;
  return { ...list, rows: rows.slice(0, count), hasNextPage: true, endCursor: undefined };
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
 * The position of a row, whose id is its cursor. An invalid row has the position of the last valid record before it:
 * reading on from there returns it again, and skips nothing. Only behind the last row the service's own cursor is used,
 * so that paging goes on. If the list starts with an invalid row there is no such record, and the error is returned.
 */
export function positionOf({ list, index, row }: Edge): ListPosition | RestError {
  const { rows, parts, after, endCursor } = list;
  const { start = 0, part = null } = parts.findLast((one) => one.start <= index) ?? {};
  if (!isRow(row) && endCursor !== undefined && index === rows.length - 1) return { part, cursor: endCursor };
  const ids: string[] = [];
  for (let at = index; at >= start && ids.length <= ROWS_BEFORE; at -= 1) {
    const earlier = rows[at];
    if (isRow(earlier)) ids.push(earlier.internalId);
  }
  if (after?.before && after.part === part) ids.push(after.cursor, ...after.before);
  const [cursor, ...before] = ids.slice(0, ROWS_BEFORE + 1);
  if (cursor !== undefined) return { part, cursor, before };
  return isRow(row) ? { part, cursor: row.internalId } : row;
}
