import { badInput } from './errors.ts';

/** A length that common proxies accept, with some margin. */
export const MAX_URL_BYTES = 4000;
/** Maximum length of one encoded value: leaves room for others and for the longest `fields`. */
const MAX_VALUE_BYTES = 1000;
/** Characters that are not encoded; the comma is not among them. */
const PLAIN = /^[\w.~:-]*$/;

/** Leaves commas and colons unencoded, which a query allows: shorter values mean more ids per URL. */
export function encode(value: string): string {
  if (PLAIN.test(value)) return value;
  if (!value.isWellFormed()) throw badInput('A value holds half of a surrogate pair, which cannot be sent.');
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** Encoded length of a value; the maximum if it cannot be encoded, and at least that if it is too long to be sent. */
export function encodedLength(value: string): number {
  // The length is looked at first: an operation may name a megabyte thousands of times.
  if (value.length > MAX_VALUE_BYTES || PLAIN.test(value)) return value.length;
  return value.isWellFormed() ? encode(value).length : MAX_VALUE_BYTES;
}

/** Whether a value that did not come from the caller fits into a URL. */
export function isSendable(value: string): boolean {
  return encodedLength(value) <= MAX_VALUE_BYTES && value.isWellFormed();
}

export function isSendableItem(value: string): boolean {
  return value !== '' && isSendable(value) && !value.includes(',');
}

/** Encodes a single value. Errors name the argument it came from. */
export function encodeValue(argument: string, value: string, what = `\`${argument}\``): string {
  if (encodedLength(value) <= MAX_VALUE_BYTES) return encode(value);
  throw badInput(`${what} is too long: encoded for a URL, it may have ${MAX_VALUE_BYTES} bytes.`);
}

/** Encodes one item of a list. The service splits lists at commas and has no escape: a comma would make it two items. */
export function encodeItem(argument: string, value: string): string {
  if (value === '') throw badInput(`\`${argument}\` holds an empty value.`);
  const text = encodeValue(argument, value, `A value of \`${argument}\``);
  if (text.includes(',')) throw badInput(`\`${argument}\` holds a value with a comma, which cannot be sent.`);
  return text;
}

/** Encodes an id as one path segment: it cannot change the path to another endpoint. */
export function pathSegment(argument: string, id: string): string {
  if (/[/\\]|^\.{1,2}$/.test(id)) throw badInput(`\`${argument}\` is not an id.`);
  return encodeValue(argument, id);
}
