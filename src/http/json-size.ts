const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const OPENING = ['[', '{'].map((text) => text.charCodeAt(0));
const CLOSING = [']', '}'].map((text) => text.charCodeAt(0));

/**
 * Why a JSON text is refused before it is parsed; undefined for one that is fine. Whoever reads values after that may
 * call itself for each level, and a megabyte of empty lists, which would be 32 MB of objects, is never made.
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

/** Where the string that starts here ends; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** An odd number of backslashes before it: two of them stand for one. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}
