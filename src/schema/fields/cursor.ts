import { isUtf8 } from 'node:buffer';
import { BASE64URL, toBase64url } from '../../base64url.ts';
import type { Sorter, SortPosition } from '../../lists/order.ts';
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
  const cursor = row ? createCursor({ list, row, index }) : null;
  if (cursor instanceof RestError) throw cursor;
  return cursor;
}

/** An invalid record before all valid ones has the cursor that its page starts after, so that it comes again. */
export function edgeCursor(edge: ListEdge): string {
  const cursor = createCursor(edge);
  if (!(cursor instanceof RestError)) return cursor;
  return edge.list.after ? encodePosition(edge.list.after) : '';
}

function createCursor({ list, row, index }: ListEdge): string | RestError {
  const { sorted } = list;
  const sortPosition = sorted?.positions[index];
  if (sorted && sortPosition) return toBase64url(JSON.stringify(sorted.sorter.encode(sortPosition)));
  const position = getPosition(list, row, index);
  return position instanceof RestError ? position : encodePosition(position);
}

/**
 * Encodes `segment:cursor` or, if the cursor is the id of a row, `segment;id` and the ids of rows before it, each on a
 * line. An id with a line break needs the first form.
 */
function encodePosition({ segment, cursor, fallbackCursors }: ListPosition): string {
  if (fallbackCursors === undefined || cursor.includes('\n'))
    return toBase64url(`${segment ?? ''}:${cursor}`);
  let text = `${segment ?? ''};${cursor}`;
  for (const id of fallbackCursors) if (!id.includes('\n')) text += `\n${id}`;
  return toBase64url(text);
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
