import { isUtf8 } from 'node:buffer';

declare const LATIN_1: unique symbol;

/**
 * Text of the service as it arrived: a string with one character for each byte of its UTF-8. Most of it only passes
 * through into a response, which is written out the same way, so it is never decoded and never encoded again. Its type
 * is no `string`, so that neither is taken for the other where the gateway itself reads text or puts text beside it.
 */
export interface Latin1 {
  readonly [LATIN_1]: true;
}

export function fromLatin1(latin1: Latin1): string {
  const text = String(latin1);
  return isAscii(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}

export function toLatin1(text: string): Latin1 {
  const latin1: unknown = isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
  return latin1 as Latin1;
}

/** Whether a value of a parsed body is text. */
export function isLatin1(value: unknown): value is Latin1 {
  return typeof value === 'string';
}

/** A JSON value with its text, which the gateway itself has put there, as Latin-1. */
export function jsonToLatin1(value: unknown): unknown {
  return JSON.parse(String(toLatin1(JSON.stringify(value))));
}

/** JSON with its strings as Latin-1; undefined for what is not JSON. */
export function parseJsonAsLatin1(body: Buffer): unknown {
  try {
    const text = body.toString('latin1');
    if (isUtf8(body) && !(body.includes('\\u') && ESCAPED.test(text))) return JSON.parse(text);
    // Stringified anew, text that stood in escapes, or was no UTF-8, stands as Latin-1 like all else.
    return jsonToLatin1(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** An escape that stands for more than one byte. */
const ESCAPED = /\\u(?!00[0-7])/;

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}
