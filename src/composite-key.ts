/** Joins parts into one key. Each text follows its length, so different parts never give the same key. */
export function compositeKey(...parts: readonly (string | number | undefined)[]): string {
  let key = '';
  for (const part of parts) key += typeof part === 'string' ? `${part.length}:${part}` : `${part};`;
  return key;
}

/** Joins parts into a key to hash. JSON escapes lone surrogates, which UTF-8 would make equal. */
export function hashableKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Copies a substring, since V8 would keep its whole text alive, such as a document for each literal. */
export function copyString(text: string): string {
  return Buffer.from(text).toString();
}
