import type { Order, OrderedPlace } from '../../lists/order.ts';
import { badInput } from '../../rest/errors.ts';
import { parseJson } from '../../rest/json.ts';
import { type ListPosition, ROWS_BEFORE } from '../../rest/walk.ts';

/** Maximum length of a cursor, except for one whose own row has a longer id. */
const MAX_LENGTH = 1000;

/** No cursor is longer, whatever ids and values it holds; a caller may send a megabyte in many places. */
const MAX_DECODED_LENGTH = 20_000;

/** Its part and cursor or, if rows before it are known, the part and then the row and those before it, separated by dots. */
export function encodeCursor({ part, cursor, before }: ListPosition): string {
  if (before === undefined) return encode(`${part ?? ''}:${cursor}`);
  const text = [`${part ?? ''}:`, cursor, ...before].map(encode).join('.');
  if (text.length <= MAX_LENGTH || before.length === 0) return text;
  return encodeCursor({ part, cursor, before: before.slice(0, -1) });
}

export function decodeCursor(text: string): ListPosition {
  const position = positionIn(text);
  if (position === undefined || encodeCursor(position) !== text) {
    throw badInput('`after` is not a cursor that this gateway gave: take one from `edges` or `pageInfo`.');
  }
  return position;
}

/** The cursor of a row in a list that the gateway has ordered. */
export function placeCursor(place: OrderedPlace, order: Order): string {
  return encode(JSON.stringify(order.encode(place)));
}

export function decodePlace(text: string, order: Order): OrderedPlace {
  const place: unknown = text.length > MAX_DECODED_LENGTH ? undefined : parseJson(decode(text));
  const decoded = Array.isArray(place) ? order.decode(place) : undefined;
  if (decoded !== undefined) return decoded;
  throw badInput('`after` is not a cursor of this list in this order: take one from `edges` or `pageInfo`.');
}

/** For estimates: the position, if it is one. What is no cursor is refused during execution. */
export function positionIn(text: string): ListPosition | undefined {
  if (text.length > MAX_DECODED_LENGTH) return undefined;
  const [start = '', ...rows] = text.split('.', ROWS_BEFORE + 3).map(decode);
  const [, digits, own = ''] = /^(\d{0,6}):(.*)$/s.exec(start) ?? [];
  const [cursor = own, ...before] = rows;
  if (digits === undefined || cursor === '' || before.includes('') || before.length > ROWS_BEFORE) return;
  const position = { part: digits === '' ? null : Number(digits), cursor };
  return rows.length === 0 ? position : { ...position, before };
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
