import { isSliceOver } from '../limits/time-slice.ts';
import { isObject } from '../rest/json.ts';
import type { Budget } from './budget.ts';

/** Text is joined into chunks of at least this length. */
const CHUNK_BYTES = 64_000;

/** So much of a response is written in one call at most, but for a single text. */
const PIECE_LENGTH = 64_000;
/** As how many characters each value counts beside its text and its key. */
const VALUE_LENGTH = 3;

/** In chunks, yielding in between: `JSON.stringify` of 16 MB would delay all others by a tenth of a second. */
export async function stringifyLarge(
  data: { readonly [key: string]: unknown },
  budget: Budget,
  { encode, hold }: { encode(text: string): Buffer<ArrayBuffer>; hold(bytes: number): void },
): Promise<Buffer<ArrayBuffer>[]> {
  const chunks: Buffer<ArrayBuffer>[] = [];
  let chunk = '';
  let length = 0;
  for (const text of writeJson(data)) {
    chunk += text;
    // At least one byte for each character.
    budget.checkJsonLength(length + chunk.length);
    if (chunk.length >= CHUNK_BYTES) {
      const bytes = encode(chunk);
      chunks.push(bytes);
      hold(bytes.length);
      length += bytes.length;
      chunk = '';
      if (isSliceOver()) await budget.nextSlice();
    }
  }
  const last = encode(chunk);
  budget.checkJsonLength(length + last.length);
  return [...chunks, last];
}

/** The JSON of a value in pieces that take a millisecond or so each, however long its texts are. */
export function* writeJson(value: unknown): Generator<string> {
  if (lengthUpTo(PIECE_LENGTH, value) <= PIECE_LENGTH) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* writeList(value);
  else if (isObject(value)) yield* writeObject(value);
  else yield JSON.stringify(value);
}

function* writeObject(object: { readonly [key: string]: unknown }): Generator<string> {
  let separator = '{';
  for (const key in object) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    yield* writeJson(object[key]);
  }
  yield '}';
}

/** Short items are written together, which takes a tenth of the time. */
function* writeList(list: readonly unknown[]): Generator<string> {
  let separator = '[';
  for (let index = 0; index < list.length; ) {
    yield separator;
    separator = ',';
    const start = index;
    let length = 0;
    while (index < list.length && length <= PIECE_LENGTH) {
      length += lengthUpTo(PIECE_LENGTH, list[index]);
      index += 1;
    }
    // The one that is too long for these comes next.
    if (length > PIECE_LENGTH && index - start > 1) index -= 1;
    if (index - start === 1) yield* writeJson(list[start]);
    else yield JSON.stringify(list.slice(start, index)).slice(1, -1);
  }
  yield ']';
}

/** How long a value is as JSON, without its escapes; if it is longer than this, by how much is not told. */
export function lengthUpTo(most: number, value: unknown): number {
  if (typeof value === 'string') return VALUE_LENGTH + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_LENGTH;
  let length = VALUE_LENGTH;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && length <= most; index += 1)
      length += lengthUpTo(most, value[index]);
  } else {
    for (const key in value) {
      length += key.length + lengthUpTo(most, Reflect.get(value, key));
      if (length > most) break;
    }
  }
  return length;
}
