import { badInput } from '../rest/errors.ts';
import { asciiToLatin1, type Latin1, toLatin1 } from '../rest/latin1.ts';
import { type Position, ROWS_BEFORE } from '../rest/list-pages.ts';
import { encodeBase64Url } from './base64url.ts';

/** Maximum length of a cursor, except for one whose own row has a longer id. */
const MAX_LENGTH = 1000;

/** How cursors start where the list was read whole, as most are. */
const WHOLE = { ':': encodeBase64Url(':'), '^': encodeBase64Url('^') };

/** An opaque, URL-safe cursor. */
export function encodeCursor({ cursor, before, ...position }: Position): string {
  const rows = before && { before: before.map(toLatin1) };
  return String(cursorOf({ ...position, cursor: toLatin1(cursor), ...rows }));
}

/**
 * The same, of a position in the service's own text: its part and cursor or, if rows before it are known, the part and
 * then the row and those before it, separated by dots. `^` stands for `:` if there are no others.
 */
export function cursorOf({ part, cursor, before, isFromStart }: Position<Latin1>): Latin1 {
  if (before === undefined) return asciiToLatin1(encodeBase64Url(`${part ?? ''}:${cursor}`));
  const mark = isFromStart ? '^' : ':';
  let text = `${part === null ? WHOLE[mark] : encodeBase64Url(`${part}${mark}`)}.${encodeId(cursor)}`;
  for (const id of before) text += `.${encodeId(id)}`;
  if (text.length <= MAX_LENGTH || before.length === 0) return asciiToLatin1(text);
  return cursorOf({ part, cursor, before: before.slice(0, -1) });
}

export function decodeCursor(text: string): Position {
  const position = positionIn(text);
  if (position === undefined || encodeCursor(position) !== text) {
    throw badInput('`after` is not a cursor that this gateway gave: take one from `edges` or `pageInfo`.');
  }
  return position;
}

/** For estimates: the position, if it is one. What is no cursor is refused during execution. */
export function positionIn(text: string): Position | undefined {
  return text.includes('.') ? decodeRows(text) : decodeRow(text);
}

function decodeRow(text: string): Position | undefined {
  const [, part = '', cursor] = /^(\d{0,6}):(.+)$/s.exec(decode(text)) ?? [];
  return cursor === undefined ? undefined : { part: partOf(part), cursor };
}

function decodeRows(text: string): Position | undefined {
  const [start = '', cursor = '', ...before] = text.split('.', ROWS_BEFORE + 3).map(decode);
  const [, part = '', mark] = /^(\d{0,6})([:^])$/.exec(start) ?? [];
  if (mark === undefined || cursor === '' || before.includes('') || before.length > ROWS_BEFORE) return;
  return { part: partOf(part), cursor, before, isFromStart: mark === '^' };
}

function partOf(digits: string): number | null {
  return digits === '' ? null : Number(digits);
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}

/** The ids encoded last: each is part of its own cursor and of those of the next rows. */
const recentIds: Latin1[] = [];
const recentTexts: string[] = [];
let next = 0;

function encodeId(id: Latin1): string {
  for (let index = 0; index < recentIds.length; index += 1) {
    const known = recentTexts[index];
    if (recentIds[index] === id && known !== undefined) return known;
  }
  const text = encodeBase64Url(String(id));
  recentIds[next] = id;
  recentTexts[next] = text;
  next = (next + 1) % (ROWS_BEFORE + 1);
  return text;
}
