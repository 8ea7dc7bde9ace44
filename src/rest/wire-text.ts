import { isUtf8 } from 'node:buffer';
import { parseJson } from './json.ts';

declare const WIRE_TEXT_TYPE: unique symbol;

/**
 * Text of the service as it travels: a string with one character for each byte of its UTF-8. Most of it is only passed
 * on to a response, which is written the same way, so it is never decoded or encoded. In a gateway with `decodeText` it
 * is an ordinary string instead. Its type is not `string`, so that code that reads or adds text has to convert it by the
 * `TextCodec` of its session, and works with both.
 */
export interface WireText {
  readonly [WIRE_TEXT_TYPE]: true;
}

/** How one gateway holds the text of the service. Reached through the session. */
export interface TextCodec {
  /** The encoding for Buffer that turns JSON of a result into the bytes of its response. */
  readonly encoding: 'latin1' | 'utf8';
  decode(text: WireText): string;
  encode(text: string): WireText;
  /** The bytes of the text in UTF-8, one character for each. */
  bytes(text: WireText): string;
  /** The same for the JSON of a value that holds text of the service. */
  jsonBytes(value: unknown): string;
  /** A JSON value created by the gateway, to stand beside text of the service. */
  encodeJson(value: unknown): unknown;
  /** A JSON value of the service, with ordinary strings. */
  decodeJson(value: unknown): unknown;
  /** Parses the body of a response; returns undefined for invalid JSON. */
  parse(body: Buffer): unknown;
  /**
   * The same for a large body, whose steps take milliseconds each, with a pause before the next. If it is not UTF-8, it
   * counts as invalid, since converting it would take ten times as long.
   */
  parseLarge(body: Buffer, pause: ParsePause): Promise<unknown>;
}

/** Waits where a slice is over; returns whether anybody still waits for the body. Told what is kept from now on. */
export type ParsePause = (parsed?: unknown) => Promise<boolean>;

export const WIRE_TEXT: TextCodec = {
  encoding: 'latin1',
  decode: (text) => fromBytes(String(text)),
  encode: (text) => asText(toBytes(text)),
  bytes: (text) => {
    const wire = String(text);
    return wire.isWellFormed() ? wire : utf8Bytes(fromBytes(wire));
  },
  jsonBytes: (value) => JSON.stringify(value),
  encodeJson: (value) => JSON.parse(utf8Bytes(JSON.stringify(value))),
  decodeJson: (value) => JSON.parse(Buffer.from(JSON.stringify(value), 'latin1').toString('utf8')),
  parse(body) {
    try {
      const text = body.toString('latin1');
      if (isUtf8(body) && !(body.includes('\\u') && ESCAPED.test(text))) return JSON.parse(text);
      // Text with escapes, or with invalid UTF-8, is decoded and converted.
      return WIRE_TEXT.encodeJson(JSON.parse(body.toString('utf8')));
    } catch {
      return undefined;
    }
  },
  async parseLarge(body, pause) {
    try {
      if (!isUtf8(body)) return undefined;
      const text = body.toString('latin1');
      // Not a search for `\\u`, which takes five times as long where there are many backslashes.
      const isConverted = body.includes('\\') && ESCAPED.test(text);
      if (!(await pause())) return undefined;
      if (!isConverted) return JSON.parse(text);
      const value: unknown = JSON.parse(body.toString('utf8'));
      if (!(await pause(value))) return undefined;
      const json = JSON.stringify(value);
      if (!(await pause())) return undefined;
      const bytes = utf8Bytes(json);
      if (!(await pause())) return undefined;
      return JSON.parse(bytes);
    } catch {
      return undefined;
    }
  },
};

/** Ordinary strings, as plugins expect them. */
export const DECODED_TEXT: TextCodec = {
  encoding: 'utf8',
  decode: String,
  encode: asText,
  bytes: (text) => utf8Bytes(String(text)),
  jsonBytes: (value) => utf8Bytes(JSON.stringify(value)),
  encodeJson: (value) => value,
  decodeJson: (value) => value,
  parse: (body) => parseJson(body.toString('utf8')),
  async parseLarge(body, pause) {
    if (!isUtf8(body)) return undefined;
    const text = body.toString('utf8');
    return (await pause()) ? parseJson(text) : undefined;
  },
};

export function isText(value: unknown): value is WireText {
  return typeof value === 'string';
}

/** One character for each byte of the text in UTF-8, in which half of a surrogate pair is `\ufffd`. */
export function utf8Bytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Halves of surrogate pairs, which JSON can escape and UTF-8 cannot hold, stay characters among the bytes. */
function toBytes(text: string): string {
  return text.isWellFormed() ? utf8Bytes(text) : JSON.parse(utf8Bytes(JSON.stringify(text)));
}

function fromBytes(bytes: string): string {
  if (isAscii(bytes)) return bytes;
  if (bytes.isWellFormed()) return Buffer.from(bytes, 'latin1').toString('utf8');
  return JSON.parse(Buffer.from(JSON.stringify(bytes), 'latin1').toString('utf8'));
}

/** An escape of a character that takes more than one byte. */
const ESCAPED = /\\u(?!00[0-7])/;

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/** What is text of the service in the form of each codec: ASCII, and a key of a parsed body. */
export function asText(text: string): WireText {
  const value: unknown = text;
  return value as WireText;
}
