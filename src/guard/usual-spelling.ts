const MAX_SPELLINGS = 200;
const spellings = new Map<string, string>();

/** `content-type` as `Content-Type`, which people and their tools look for in HTTP/1.1. */
export function usualSpelling(name: string): string {
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    spelling = name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
    // Names are those of the gateway and of plugins; if one makes them up, this must not grow.
    if (spellings.size < MAX_SPELLINGS) spellings.set(name, spelling);
  }
  return spelling;
}

export function usuallySpelled(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [usualSpelling(name), value]));
}
