import { isUtf8 } from 'node:buffer';
import { allToBase64url, BASE64URL, toBase64url } from '../../base64url.ts';
import type { Sorter, SortPosition } from '../../lists/order.ts';
import { weakMemoize } from '../../memoize.ts';
import { badInput, RestError } from '../../rest/errors.ts';
import type { FieldTree } from '../../rest/fields.ts';
import { parseJson } from '../../rest/json.ts';
import { getPosition, type List } from '../../rest/list.ts';
import { type ListPosition, ROWS_BEFORE } from '../../rest/pages.ts';
import type { Row, RowOrError } from '../../rest/resource.ts';

/** The rows from which the totals and groups of a list are computed. */
export interface FullList {
  readonly rows: readonly Row[];
  readonly fields: FieldTree;
  readonly isComplete: boolean;
  /** Why some rows are missing, or may be. */
  readonly problem?: RestError | undefined;
}

/** A page of a list, and the full list if a selected field needs it. */
export interface ListConnection extends List {
  /** The sorter and the position of each row, if the gateway filters or sorts the list. */
  readonly sorted?: { readonly sorter: Sorter; readonly positions: readonly SortPosition[] };
  readonly fullList?: Promise<FullList>;
}

/** No cursor is longer, whatever ids and values it has; callers may send a megabyte in many places. */
const MAX_LENGTH = 20_000;

export interface ListEdge {
  readonly list: ListConnection;
  readonly row: RowOrError;
  readonly index: number;
}

/** The cursor of a row; null if the list has no such row. */
export function cursorAt(list: ListConnection, index: number): string | null {
  const row = list.rows[index];
  if (row === undefined) return null;
  const text = positionText(list, row, index);
  if (text instanceof RestError) throw text;
  return toBase64url(text);
}

/** Encoded together for all edges of a list, which takes less time. */
const getCursors = weakMemoize((list: ListConnection) => {
  // An invalid record before all valid ones has the cursor that its page starts after, so that it comes again.
  const start = list.after ? formatPosition(list.after) : '';
  const getText = (row: RowOrError, index: number) => {
    const text = positionText(list, row, index);
    return text instanceof RestError ? start : text;
  };
  return allToBase64url(list.rows.map(getText));
});

export function edgeCursor({ list, index }: ListEdge): string {
  return getCursors(list)[index] ?? '';
}

function positionText(list: ListConnection, row: RowOrError, index: number): string | RestError {
  const { sorted } = list;
  const sortPosition = sorted?.positions[index];
  if (sorted && sortPosition) return JSON.stringify(sorted.sorter.encode(sortPosition));
  const position = getPosition(list, row, index);
  return position instanceof RestError ? position : formatPosition(position);
}

/**
 * Formats `segment:cursor` or, if the cursor is the id of a row, `segment;id` and the ids of rows before it, each on a
 * line. An id with a line break needs the first form.
 */
function formatPosition({ segment, cursor, fallbackCursors }: ListPosition): string {
  if (fallbackCursors === undefined || cursor.includes('\n')) return `${segment ?? ''}:${cursor}`;
  let text = `${segment ?? ''};${cursor}`;
  for (const id of fallbackCursors) if (!id.includes('\n')) text += `\n${id}`;
  return text;
}

/** Also reads cursors of earlier builds, which encoded `segment:` and each id separately, with dots between them. */
export function decodeCursor(text: string): ListPosition {
  const [start = '', ...earlier] = text.split('.', ROWS_BEFORE + 3).map(decode);
  const [, segment, separator, rest = ''] = /^(\d{0,6})([:;])(.*)$/s.exec(start) ?? [];
  const ids = separator === ';' ? rest.split('\n') : earlier;
  const [cursor = rest, ...fallbackCursors] = ids;
  const isComplete = cursor !== '' && fallbackCursors.length <= ROWS_BEFORE && !fallbackCursors.includes('');
  if (separator && isComplete)
    return { segment: segment ? Number(segment) : null, cursor, ...(ids.length > 0 && { fallbackCursors }) };
  throw badInput('`after` is not a cursor of this gateway. Use one from `edges` or `pageInfo`.');
}

export function decodeSortCursor(text: string, sorter: Sorter): SortPosition {
  const sortPosition: unknown = parseJson(decode(text));
  const decoded = Array.isArray(sortPosition) ? sorter.decode(sortPosition) : undefined;
  if (decoded !== undefined) return decoded;
  throw badInput('`after` is not a cursor of this list in this order. Use one from `edges` or `pageInfo`.');
}

/** Returns '' for text that is too long, or not base64url of UTF-8. */
function decode(text: string): string {
  if (text.length > MAX_LENGTH || !BASE64URL.test(text)) return '';
  const bytes = Buffer.from(text, 'base64url');
  return isUtf8(bytes) ? bytes.toString() : '';
}
