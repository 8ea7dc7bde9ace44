const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const OPENING = ['[', '{'].map((text) => text.charCodeAt(0));
const CLOSING = [']', '}'].map((text) => text.charCodeAt(0));

/**
 * What parsing makes of JSON, measured on the heap: its text three times, and so much for each comma, for each list or object,
 * and for each member of an object, which may have a name that no other object has.
 */
const TEXT_FACTOR = 3;
const COMMA_BYTES = 10;
const CONTAINER_BYTES = 50;
const MEMBER_BYTES = 100;

export interface JsonSize {
  /** Why it is rejected, if it is. */
  readonly violation?: string;
  /** The memory that it takes once it is parsed, with its text. */
  readonly bytes: number;
}

/**
 * Measures JSON text before it is parsed. Code that reads the values may then recurse safely, and a megabyte of empty
 * lists, which would parse into 32 MB of objects, is never parsed.
 */
export function jsonSize(text: string): JsonSize {
  let level = 0;
  let values = 1;
  let bytes = text.length * TEXT_FACTOR;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COLON) bytes += MEMBER_BYTES;
    else if (code === COMMA) {
      values += 1;
      bytes += COMMA_BYTES;
    } else if (OPENING.includes(code)) {
      level += 1;
      values += 1;
      bytes += CONTAINER_BYTES;
      if (level > MAX_DEPTH) return { violation: `is nested more than ${MAX_DEPTH} levels deep`, bytes };
    } else if (CLOSING.includes(code)) level -= 1;
    if (values > MAX_VALUES) return { violation: `holds more than ${MAX_VALUES} values`, bytes };
  }
  return { bytes };
}

/** The index of the closing quote of the string that starts here, or the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
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
