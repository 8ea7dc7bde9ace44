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
  /** What they were read with. */
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

/** No cursor is longer, whatever ids and values it holds; a caller may send a megabyte of text in many places. */
const MAX_LENGTH = 20_000;

/** The cursor of a row; null if the list has no such row. */
export function cursorAt(list: ListConnection, index: number): string | null {
  const row = list.rows[index];
  const text = row ? cursorText(list, row, index) : null;
  if (text instanceof RestError) throw text;
  return text === null ? null : toBase64url(text);
}

export interface ListEdge {
  readonly list: ListConnection;
  readonly row: RowOrError;
  readonly index: number;
}

/** An invalid record before all valid ones has the cursor that its page starts after, so that it comes again. */
export function edgeCursor({ list, row, index }: ListEdge): string {
  const text = cursorText(list, row, index);
  if (!(text instanceof RestError)) return toBase64url(text);
  return list.after ? toBase64url(positionText(list.after)) : '';
}

function cursorText(list: ListConnection, row: RowOrError, index: number): string | RestError {
  const { sorted } = list;
  const sortPosition = sorted?.positions[index];
  if (sorted && sortPosition) return JSON.stringify(sorted.sorter.encode(sortPosition));
  const position = getPosition(list, row, index);
  return position instanceof RestError ? position : positionText(position);
}

/**
 * Writes `segment:cursor` or, if the cursor is the id of a row, `segment;id` and the ids of the rows before it, a line
 * for each. An id with a line break in it fits into the first form alone.
 */
function positionText({ segment, cursor, fallbackCursors }: ListPosition): string {
  if (fallbackCursors === undefined || cursor.includes('\n')) return `${segment ?? ''}:${cursor}`;
  let text = `${segment ?? ''};${cursor}`;
  for (const id of fallbackCursors) if (!id.includes('\n')) text += `\n${id}`;
  return text;
}

/** Also reads cursors of earlier builds, which encoded `segment:` and each id separately, with dots between them. */
export function decodeCursor(text: string): ListPosition {
  const pieces = text.length > MAX_LENGTH ? [] : text.split('.', ROWS_BEFORE + 3).map(decode);
  const [start = '', ...earlier] = pieces;
  const [, segment, mark, rest = ''] = /^(\d{0,6})([:;])(.*)$/s.exec(start) ?? [];
  const ids = mark === ';' ? rest.split('\n') : earlier;
  const [cursor = rest, ...fallbackCursors] = ids;
  const isComplete = cursor !== '' && fallbackCursors.length <= ROWS_BEFORE && !fallbackCursors.includes('');
  if (mark && isComplete)
    return { segment: segment ? Number(segment) : null, cursor, ...(ids.length > 0 && { fallbackCursors }) };
  throw badInput('`after` is not a cursor that this gateway gave: take one from `edges` or `pageInfo`.');
}

export function decodeSortCursor(text: string, sorter: Sorter): SortPosition {
  const sortPosition: unknown = text.length > MAX_LENGTH ? undefined : parseJson(decode(text));
  const decoded = Array.isArray(sortPosition) ? sorter.decode(sortPosition) : undefined;
  if (decoded !== undefined) return decoded;
  throw badInput('`after` is not a cursor of this list in this order: take one from `edges` or `pageInfo`.');
}

/** Empty for text that is not base64url of UTF-8. */
function decode(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  return BASE64URL.test(text) && isUtf8(bytes) ? bytes.toString() : '';
}
