import { badInput } from '../rest/errors.ts';
import type { Position } from '../rest/list-pages.ts';

/** An opaque, URL-safe cursor. */
export function encodeCursor({ part, cursor }: Position): string {
  return Buffer.from(`${part ?? ''}:${cursor}`).toString('base64url');
}

export function decodeCursor(text: string): Position {
  const [, part, cursor = ''] = /^(\d{0,6}):(.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const position = { part: part ? Number(part) : null, cursor };
  if (cursor === '' || encodeCursor(position) !== text) {
    throw badInput('`after` is not a cursor that this gateway gave: take one from `edges` or `pageInfo`.');
  }
  return position;
}
