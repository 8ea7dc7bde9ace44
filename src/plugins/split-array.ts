import { badRequest } from '../http/request-error.ts';
import { endOfString } from './json-size.ts';

const NOT_JSON = badRequest('The body is not a JSON array.');
const EMPTY = badRequest('The array has no operations.');

/**
 * Splits the JSON of an array into the JSON of its entries, whatever these are: each is parsed as a body of its own, and
 * one that is not JSON spoils no other.
 */
export function splitArray(text: string, maxEntries: number): string[] {
  const entries: string[] = [];
  let level = 0;
  let start = text.indexOf('[') + 1;
  for (let index = start - 1; index < text.length; index += 1) {
    const { [index]: character } = text;
    if (character === '"') index = endOfString(text, index);
    else if (character === '[' || character === '{') level += 1;
    else if (character === ']' || character === '}') {
      level -= 1;
      if (level > 0) continue;
      if (character === '}' || text.slice(index + 1).trim() !== '') throw NOT_JSON;
      entries.push(text.slice(start, index).trim());
      if (entries.join('') === '') throw EMPTY;
      return entries;
    } else if (character === ',' && level === 1) {
      entries.push(text.slice(start, index).trim());
      if (entries.length === maxEntries) throw tooMany(maxEntries);
      start = index + 1;
    }
  }
  throw NOT_JSON;
}

function tooMany(maxEntries: number) {
  return badRequest(
    `The array has more than ${maxEntries} operations. Send at most ${maxEntries} in one request.`,
  );
}
