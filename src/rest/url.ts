import { badInput } from './errors.ts';

/** What proxies commonly let through, and then some to spare. */
export const MAX_URL_BYTES = 4000;
/** Of one value, encoded: leaves room beside it for others and for the longest `fields`. */
const MAX_VALUE_BYTES = 1000;

/** Whether a URL of this length may be sent. */
export function isUrl(bytes: number): boolean {
  return bytes <= MAX_URL_BYTES;
}

/** Refuses a URL that is too long, whatever combination of values made it so. */
export function requireUrl(bytes: number): void {
  if (!isUrl(bytes)) {
    throw badInput(
      'What is asked for does not fit into a URL: shorten the ids, filters or `after`, or select fewer fields.',
    );
  }
}

/** A value on its own. It is named by the argument that it came from. */
export function encodeValue(argument: string, value: string): string {
  const text = encode(value);
  if (text.length > MAX_VALUE_BYTES) throw tooLong(`\`${argument}\``);
  return text;
}

/** Whether a value that no caller has sent may stand in a URL. */
export function isSendable(value: string): boolean {
  return encode(value).length <= MAX_VALUE_BYTES;
}

/** How long one among several values is in a URL; undefined where it cannot be sent. */
export function lengthOfItem(value: string): number | undefined {
  if (value === '' || value.includes(',')) return undefined;
  const { length } = encode(value);
  return length <= MAX_VALUE_BYTES ? length : undefined;
}

/** How long a value is in a URL; the most that may be sent where it cannot be encoded. */
export function encodedLength(value: string): number {
  if (PLAIN.test(value)) return value.length;
  return /\p{Surrogate}/u.test(value) ? MAX_VALUE_BYTES : encode(value).length;
}

/** One of several values. The service separates them by commas and knows no escape: a comma would make it two. */
export function encodeItem(argument: string, value: string): string {
  if (value === '') throw badInput(`\`${argument}\` holds an empty value.`);
  if (value.includes(',')) {
    throw badInput(`\`${argument}\` holds a value with a comma, which cannot be sent.`);
  }
  const text = encode(value);
  if (text.length > MAX_VALUE_BYTES) throw tooLong(`A value of \`${argument}\``);
  return text;
}

/** An id as one segment of a path: it can neither leave its place nor become another endpoint. */
export function pathSegment(argument: string, id: string): string {
  if (/[/\\]|^\.{1,2}$/.test(id)) throw badInput(`\`${argument}\` is not an id.`);
  return encodeValue(argument, id);
}

function tooLong(what: string) {
  return badInput(`${what} is too long: encoded for a URL, it may have ${MAX_VALUE_BYTES} bytes.`);
}

/** Most values need no encoding at all. */
const PLAIN = /^[\w.~:-]*$/;

/** Commas and colons may stand in a query as they are, and the shorter URL holds more ids. */
export function encode(value: string): string {
  if (PLAIN.test(value)) return value;
  try {
    return encodeURIComponent(value).replace(/%(?:2C|3A)/g, (code) => (code === '%2C' ? ',' : ':'));
  } catch {
    throw badInput('A value holds half of a surrogate pair, which cannot be sent.');
  }
}
