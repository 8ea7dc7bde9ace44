export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether JSON says nothing of a value. */
export function isAbsent(value: unknown): value is null | undefined {
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

/** What each takes in memory at least, however short it is written: a list or an object, a member, another item. */
export const CONTAINER_BYTES = 50;
export const MEMBER_BYTES = 20;
export const ITEM_BYTES = 16;
/** Of a member whose name is a number, for which V8 makes a list that is as long as that. */
const INDEX_BYTES = 320;

/** What a name takes that no other object has: V8 makes a class of objects for each. */
const NAME_BYTES = 250;

/** What a value takes in memory. With `names`, also what each takes that is not among them, as in a body of the service. */
export function valueBytes(value: unknown, names?: Set<string>): number {
  let bytes = 0;
  const opened: object[] = [];
  const add = (item: unknown) => {
    if (typeof item === 'string') bytes += item.length;
    else if (typeof item === 'object' && item !== null) opened.push(item);
  };
  add(value);
  for (let container = opened.pop(); container !== undefined; container = opened.pop()) {
    bytes += CONTAINER_BYTES;
    if (Array.isArray(container)) {
      bytes += container.length * ITEM_BYTES;
      container.forEach(add);
    } else if (isObject(container)) {
      for (const name in container) {
        bytes += isDigit(name.charCodeAt(0)) ? INDEX_BYTES : MEMBER_BYTES;
        if (names && !names.has(name)) {
          names.add(name);
          bytes += NAME_BYTES;
        }
        add(container[name]);
      }
    }
  }
  return bytes;
}

const [ZERO, NINE] = [0x30, 0x39];

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE;
}
