import { isUtf8 } from 'node:buffer';

/**
 * What the service sends is kept as bytes: strings with one character for each byte of UTF-8. Most of it only passes
 * through into an answer, which is written out the same way, so it is never decoded and never encoded again. Where
 * the gateway itself reads text of a record or puts text beside it, it has to turn one into the other.
 */
export function fromLatin1(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

export function toLatin1(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** A JSON value with its text, which the gateway itself has put there, as bytes. */
export function jsonToLatin1(value: unknown): unknown {
  return JSON.parse(toLatin1(JSON.stringify(value)));
}

/** JSON with its strings as bytes; undefined for what is not JSON. */
export function parseJsonAsLatin1(body: Buffer): unknown {
  try {
    const text = body.toString('latin1');
    if (isUtf8(body) && !(body.includes('\\u') && ESCAPED.test(text))) return JSON.parse(text);
    // Written anew, text that stood in escapes, or was no text at all, stands in bytes like all else.
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
