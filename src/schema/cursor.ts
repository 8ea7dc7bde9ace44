import { badInput } from '../rest/errors.ts';
import { asciiToLatin1, type Latin1, toLatin1 } from '../rest/latin1.ts';
import type { Position } from '../rest/list-pages.ts';
import { encodeBase64Url } from './base64url.ts';

/** An opaque, URL-safe cursor. */
export function encodeCursor({ part, cursor }: Position): string {
  return String(cursorOf(part, toLatin1(cursor)));
}

/** The same, from a cursor of the service as received. */
export function cursorOf(part: number | null, cursor: Latin1): Latin1 {
  return asciiToLatin1(encodeBase64Url(`${part ?? ''}:${cursor}`));
}

export function decodeCursor(text: string): Position {
  const [, part, cursor = ''] = /^(\d{0,6}):(.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const position = { part: part ? Number(part) : null, cursor };
  if (cursor === '' || encodeCursor(position) !== text) {
    throw badInput('`after` is not a cursor that this gateway gave: take one from `edges` or `pageInfo`.');
  }
  return position;
}
