import { isUtf8 } from 'node:buffer';
import { isSliceOver, nextSlice } from '../limits/time-slice.ts';

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

/**
 * The same for a large body, whose steps take milliseconds each: where a slice is over, the next step waits for another.
 * If it is not UTF-8, it counts as invalid, since converting it would take ten times as long.
 */
export async function parseLargeJsonAsLatin1(body: Buffer): Promise<unknown> {
  try {
    if (!isUtf8(body)) return undefined;
    const text = body.toString('latin1');
    // Not a search for `\\u`, which takes five times as long where there are many backslashes.
    const isConverted = body.includes('\\') && ESCAPED.test(text);
    if (isSliceOver()) await nextSlice();
    if (!isConverted) return JSON.parse(text);
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isSliceOver()) await nextSlice();
    const json = JSON.stringify(value);
    if (isSliceOver()) await nextSlice();
    const latin1 = String(toLatin1(json));
    if (isSliceOver()) await nextSlice();
    return JSON.parse(latin1);
  } catch {
    return undefined;
  }
}

/** An escape of a character that takes more than one byte. */
const ESCAPED = /\\u(?!00[0-7])/;

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}
