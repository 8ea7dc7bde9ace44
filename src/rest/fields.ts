/**
 * A tree of REST field names. One structure says what a caller selected, what a REST call asks for, and
 * how two selections become one. A name without members is a plain field, or an object wanted whole.
 */
export interface Fields {
  readonly [name: string]: Fields;
}

const WHOLE: Fields = Object.freeze({});

export function fieldsOf(names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, WHOLE]));
}

/** The union of two trees, in the order in which names first appear. */
export function mergeFields(a: Fields, b: Fields): Fields {
  const merged: Record<string, Fields> = { ...a };
  for (const [name, members] of Object.entries(b)) {
    const known = merged[name];
    merged[name] = known ? mergeFields(known, members) : members;
  }
  return merged;
}

export function isWhole(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
}

/** The value of the service's `fields` parameter: nested names stand in single-key objects. */
export function fieldsParameter(fields: Fields): string {
  return JSON.stringify({ only: listNames(fields) });
}

type Name = string | { readonly [name: string]: readonly Name[] };

function listNames(fields: Fields): Name[] {
  return Object.entries(fields).map(([name, members]) =>
    isWhole(members) ? name : { [name]: listNames(members) },
  );
}
