/** Up to this length, V8's own search takes time in proportion to the text, however both are made. */
const MAX_ENGINE_LENGTH = 250;

/**
 * Finds a part in texts: its index behind another one, or -1. For a longer part the engine's own search takes text times
 * part where both repeat one letter; this takes their sum, by Knuth, Morris and Pratt.
 */
export function textSearch(part: string): (text: string, from?: number) => number {
  let table: Uint16Array | undefined;
  return (text, from = 0) => {
    if (part.length <= MAX_ENGINE_LENGTH || part.length >= text.length - from)
      return text.indexOf(part, from);
    table ??= prefixTable(part);
    return find(text, from, part, table);
  };
}

function find(text: string, from: number, part: string, table: Uint16Array): number {
  let matched = 0;
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    while (matched > 0 && code !== part.charCodeAt(matched)) matched = table[matched - 1] ?? 0;
    if (code === part.charCodeAt(matched)) matched += 1;
    if (matched === part.length) return index + 1 - matched;
  }
  return -1;
}

/** For each prefix: the longest shorter prefix that it ends with. */
function prefixTable(part: string): Uint16Array {
  const table = new Uint16Array(part.length);
  let matched = 0;
  for (let index = 1; index < part.length; index += 1) {
    const code = part.charCodeAt(index);
    while (matched > 0 && code !== part.charCodeAt(matched)) matched = table[matched - 1] ?? 0;
    if (code === part.charCodeAt(matched)) matched += 1;
    table[index] = matched;
  }
  return table;
}
