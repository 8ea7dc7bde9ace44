export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isNullish(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Returns undefined for invalid JSON; no valid JSON text parses to undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
