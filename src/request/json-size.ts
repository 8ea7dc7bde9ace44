import { randomInt } from 'node:crypto';

const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;
/**
 * How many members there may be whose names do not follow on the same names as in another object. For each of them the
 * parser makes a description of what objects look like, which takes as long as a hundred members that are alike.
 */
const MAX_SHAPES = 2_000;

const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:');
const [OPENING_BRACKET, OPENING_BRACE, CLOSING_BRACKET, CLOSING_BRACE] = Buffer.from('[{]}');

/**
 * What parsing makes of JSON, measured on the heap: its text three times, and so much for each comma, for each list or object,
 * and for each member of an object, which may have a name that no other object has.
 */
const TEXT_FACTOR = 3;
const COMMA_BYTES = 10;
const CONTAINER_BYTES = 50;
const MEMBER_BYTES = 100;

interface JsonSize {
  readonly violation?: string;
  /** The memory that it takes once it is parsed, with its text. */
  readonly bytes: number;
}

/** Measured before it is parsed, so that readers may recurse, and a megabyte of `[]` is not made 32 MB of objects. */
export function jsonSize(text: string): JsonSize {
  let level = 0;
  let values = 1;
  let bytes = text.length * TEXT_FACTOR;
  let stringStart = 0;
  const shapes = new Shapes();
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      stringStart = index;
      index = endOfString(text, index);
    } else if (code === COLON) {
      bytes += MEMBER_BYTES;
      shapes.add(level, text, stringStart, index);
      // What is no JSON may have any number of colons behind one string.
      stringStart = index + 1;
      if (shapes.areTooMany) return { violation: `has more than ${MAX_SHAPES} different members`, bytes };
    } else if (code === COMMA) {
      values += 1;
      bytes += COMMA_BYTES;
    } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      level += 1;
      values += 1;
      bytes += CONTAINER_BYTES;
      if (level > MAX_DEPTH) return { violation: `is nested more than ${MAX_DEPTH} levels deep`, bytes };
      shapes.begin(level);
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) level -= 1;
    if (values > MAX_VALUES) return { violation: `holds more than ${MAX_VALUES} values`, bytes };
  }
  return { bytes };
}

/** Otherwise somebody could find names that are taken for one another. */
const SEED = randomInt(2 ** 32);

/** By level: a hash of the names that the object has so far. One for all texts, which are read one after another. */
const current = new Int32Array(MAX_DEPTH + 1);

/** The sequences of names that objects begin with. Few requests have more than a handful. */
class Shapes {
  readonly #known = new Set<number>();

  get areTooMany(): boolean {
    return this.#known.size > MAX_SHAPES;
  }

  begin(level: number): void {
    current[level] = SEED;
  }

  /** The name is the string that starts before the colon. */
  add(level: number, text: string, start: number, end: number): void {
    let hash = current[level] ?? SEED;
    for (let index = start; index < end; index += 1)
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) ^ (hash >>> 15);
    current[level] = hash;
    this.#known.add(hash);
  }
}

/** The index of the closing quote of the string that starts here, or the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Escaped if preceded by an odd number of backslashes: two of them are an escaped backslash. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}
