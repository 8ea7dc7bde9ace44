import { badRequest, RequestError } from '../http/errors.ts';
import { endOfString, jsonSize } from './json-size.ts';

const NOT_JSON = badRequest('The body is not a JSON array.');
/** A client that sends more operations at once gets one error for them all. */
const MAX_ANSWERS = 100;
const WHITESPACE = ' \t\n\r';
const EMPTY = badRequest('The array has no operations.');

/**
 * Splits the JSON of an array into the JSON of its entries, whatever these are: each is parsed as a body of its own, and
 * one that is not JSON spoils no other. How much JSON there may be in a body holds for all of them together.
 */
export function splitArray(text: string, maxEntries: number): string[] {
  const { violation } = jsonSize(text);
  if (violation !== undefined) throw badRequest(`The body ${violation}.`);
  const entries: string[] = [];
  let level = 0;
  let start = text.indexOf('[') + 1;
  for (let index = start - 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index);
    else if (character === '[' || character === '{') level += 1;
    else if (character === ']' || character === '}') {
      level -= 1;
      if (level > 0) continue;
      if (character === '}' || trimmed(text.slice(index + 1)) !== '') throw NOT_JSON;
      const last = trimmed(text.slice(start, index));
      if (last === '') throw entries.length === 0 ? EMPTY : NOT_JSON;
      entries.push(last);
      if (entries.length > maxEntries) throw new TooManyOperations(maxEntries, entries.length);
      return entries;
    } else if (character === ',' && level === 1) {
      const entry = trimmed(text.slice(start, index));
      if (entry === '') throw NOT_JSON;
      entries.push(entry);
      if (entries.length >= Math.max(maxEntries, MAX_ANSWERS)) throw new TooManyOperations(maxEntries);
      start = index + 1;
    }
  }
  throw NOT_JSON;
}

/** Without the whitespace of JSON, which is less than that of JavaScript. A pattern would take the square of its length. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITESPACE.includes(text.charAt(start))) start += 1;
  while (end > start && WHITESPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

class TooManyOperations extends RequestError {
  override readonly answers: number | undefined;

  constructor(maxEntries: number, answers?: number) {
    super(
      400,
      'BAD_REQUEST',
      `The array has more than ${maxEntries} operations. Send at most ${maxEntries} in one request.`,
    );
    this.answers = answers;
  }
}
