/**
 * One key of several parts, for a Map or a cache. Different parts never give the same key, whatever text they hold:
 * each text is preceded by its length, and a number or `undefined` is followed by a semicolon instead.
 */
export function compositeKey(...parts: readonly (string | number | undefined)[]): string {
  let key = '';
  for (const part of parts) key += typeof part === 'string' ? `${part.length}:${part}` : `${part};`;
  return key;
}

/** The same for a key that is hashed: in UTF-8 all halves of surrogate pairs are one character, and JSON escapes them. */
export function hashableKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** A text of its own: V8 keeps the whole of a text for a part of it, such as a document for each literal. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
