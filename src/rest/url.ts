import { badInput } from './errors.ts';

/** A length that common proxies accept, with some margin. */
export const MAX_URL_BYTES = 4000;
/** Maximum length of one encoded value: leaves room for others and for the longest `fields`. */
const MAX_VALUE_BYTES = 1000;
/** Characters that are not encoded; the comma is not among them. */
const PLAIN = /^[\w.~:-]*$/;

/** Leaves commas and colons unencoded, which a query allows: shorter values mean more ids per URL. */
export function encode(value: string): string {
  return PLAIN.test(value) ? value : encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

export function encodedLength(value: string): number {
  // Check the length first: an operation may name a megabyte thousands of times.
  if (value.length > MAX_VALUE_BYTES || PLAIN.test(value)) return value.length;
  return value.isWellFormed() ? encode(value).length : MAX_VALUE_BYTES + 1;
}

export function isSendable(value: string): boolean {
  return encodedLength(value) <= MAX_VALUE_BYTES;
}

/** The service splits lists at commas and has no escape. */
export function isSendableItem(value: string): boolean {
  return value !== '' && isSendable(value) && !value.includes(',');
}

export function encodeValue(argument: string, value: string): string {
  if (isSendable(value)) return encode(value);
  const limits = `valid Unicode of at most ${MAX_VALUE_BYTES} URL-encoded bytes`;
  throw badInput(`A value of \`${argument}\` cannot be sent: it must be ${limits}.`);
}

export function encodeItem(argument: string, value: string): string {
  if (value !== '' && !value.includes(',')) return encodeValue(argument, value);
  throw badInput(`A value of \`${argument}\` is empty or contains a comma, so it cannot be sent. Remove it.`);
}

/** Encodes an id as one path segment: it cannot change the path to another endpoint. */
export function pathSegment(argument: string, id: string): string {
  if (/[/\\]|^\.{1,2}$/.test(id)) throw badInput(`\`${argument}\` is not an id: an id has no slashes.`);
  return encodeValue(argument, id);
}
