import type { Sorter, SortPosition } from '../../lists/order.ts';
import { getOrCreate } from '../../memoize.ts';
import { badInput, RestError } from '../../rest/errors.ts';
import type { FieldTree } from '../../rest/fields.ts';
import { parseJson } from '../../rest/json.ts';
import { type Edge, getPosition, type List } from '../../rest/list.ts';
import { type ListPosition, ROWS_BEFORE } from '../../rest/pages.ts';
import type { Row } from '../../rest/resource.ts';

/** The rows of a list that its totals and groups are made of. */
export interface FullList {
  readonly rows: readonly Row[];
  /** What they were read with. */
  readonly fields: FieldTree;
  readonly isComplete: boolean;
  /** Why some rows are missing, or may be. */
  readonly problem?: RestError | undefined;
}

/** A part of a list, and all of it if something that is selected needs it. */
export interface ListConnection extends List {
  /** If it is filtered or ordered: its order, and the place of each row. */
  readonly sorted?: { readonly sorter: Sorter; readonly positions: readonly SortPosition[] };
  readonly fullList?: Promise<FullList>;
}

/** No cursor is longer, whatever ids and values it holds; a caller may send a megabyte in many places. */
const MAX_LENGTH = 20_000;

export function cursorAt(list: ListConnection, index: number): string | null {
  const row = list.rows[index];
  const cursor = row ? cursorTo({ list, row, index }) : null;
  if (cursor instanceof RestError) throw cursor;
  return cursor;
}

/** Of an invalid record with no valid one before it, that behind which its page starts: it comes again there. */
export function edgeCursor(edge: ListEdge): string {
  const cursor = cursorTo(edge);
  if (!(cursor instanceof RestError)) return cursor;
  const { after } = edge.list;
  return after ? encodeCursor(after) : '';
}

type ListEdge = Edge & { readonly list: ListConnection };

function cursorTo(edge: ListEdge): string | RestError {
  const { sorted } = edge.list;
  const sortPosition = sorted?.positions[edge.index];
  if (sorted && sortPosition) return encode(JSON.stringify(sorted.sorter.encode(sortPosition)));
  const position = getPosition(edge);
  return position instanceof RestError ? position : encodeCursor(position);
}

/** Its part and cursor or, if rows before it are known, the part and then the row and those before it, separated by dots. */
function encodeCursor({ segment, cursor, fallbackCursors }: ListPosition): string {
  if (fallbackCursors === undefined) return encode(`${segment ?? ''}:${cursor}`);
  let text = `${encode(`${segment ?? ''}:`)}.${encode(cursor)}`;
  for (const id of fallbackCursors) text += `.${encode(id)}`;
  return text;
}

export function decodeCursor(text: string): ListPosition {
  if (text.length <= MAX_LENGTH) {
    const [start = '', ...rows] = text.split('.', ROWS_BEFORE + 2).map(decode);
    const [, segment, own = ''] = /^(\d{0,6}):(.*)$/s.exec(start) ?? [];
    const [cursor = own, ...fallbackCursors] = rows;
    const position = {
      segment: segment ? Number(segment) : null,
      cursor,
      ...(rows.length > 0 && { fallbackCursors }),
    };
    if (cursor !== '' && !fallbackCursors.includes('') && encodeCursor(position) === text) return position;
  }
  throw badInput('`after` is not a cursor that this gateway gave: take one from `edges` or `pageInfo`.');
}

export function decodeSortCursor(text: string, sorter: Sorter): SortPosition {
  const sortPosition: unknown = text.length > MAX_LENGTH ? undefined : parseJson(decode(text));
  const decoded = Array.isArray(sortPosition) ? sorter.decode(sortPosition) : undefined;
  if (decoded !== undefined) return decoded;
  throw badInput('`after` is not a cursor of this list in this order: take one from `edges` or `pageInfo`.');
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}

/** Of the ids that came last: that of a row stands in its own cursor, and in those of the next two. */
const encoded = new Map<string, string>();
const MAX_ENCODED = 1_000;
const MAX_ENCODED_LENGTH = 100;

function encode(text: string): string {
  if (text.length > MAX_ENCODED_LENGTH) return toBase64(text);
  if (encoded.size >= MAX_ENCODED) encoded.clear();
  return getOrCreate(encoded, text, toBase64);
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64url');
