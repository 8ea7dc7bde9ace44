import { isUtf8 } from 'node:buffer';

declare const LATIN_1: unique symbol;

/**
 * Text of the service as received: a string with one character per byte of its UTF-8. Most of it is only passed through
 * to a response, which is written the same way, so it is never decoded or re-encoded. Its type is not `string`, so that
 * the two cannot be mixed up where the gateway itself reads or adds text.
 */
export interface Latin1 {
  readonly [LATIN_1]: true;
}

export function fromLatin1(latin1: Latin1): string {
  const text = String(latin1);
  return isAscii(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}

export function toLatin1(text: string): Latin1 {
  return asciiToLatin1(isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1'));
}

/** For text that is known to be ASCII, which is the same in both. */
export function asciiToLatin1(text: string): Latin1 {
  const latin1: unknown = text;
  return latin1 as Latin1;
}

/** Whether a value of a parsed body is a string. */
export function isLatin1(value: unknown): value is Latin1 {
  return typeof value === 'string';
}

/** A JSON value created by the gateway, with its strings converted to Latin-1. */
export function jsonToLatin1(value: unknown): unknown {
  return JSON.parse(String(toLatin1(JSON.stringify(value))));
}

/** Parses JSON with its strings as Latin-1; returns undefined for invalid JSON. */
export function parseJsonAsLatin1(body: Buffer): unknown {
  try {
    const text = body.toString('latin1');
    if (isUtf8(body) && !(body.includes('\\u') && ESCAPED.test(text))) return JSON.parse(text);
    // Text with escapes, or with invalid UTF-8, is decoded and converted.
    return jsonToLatin1(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** An escape of a character that takes more than one byte. */
const ESCAPED = /\\u(?!00[0-7])/;

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}
