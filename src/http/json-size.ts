const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const OPENING = ['[', '{'].map((text) => text.charCodeAt(0));
const CLOSING = [']', '}'].map((text) => text.charCodeAt(0));

/**
 * Checks JSON text before it is parsed: returns why it is rejected, or undefined. Code that reads the values may then
 * recurse safely, and a megabyte of empty lists, which would parse into 32 MB of objects, is never parsed.
 */
export function jsonSizeViolation(text: string): string | undefined {
  let level = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COMMA) values += 1;
    else if (OPENING.includes(code)) {
      level += 1;
      values += 1;
      if (level > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    } else if (CLOSING.includes(code)) level -= 1;
    if (values > MAX_VALUES) return `holds more than ${MAX_VALUES} values`;
  }
  return undefined;
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
