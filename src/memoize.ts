import { LRUCache } from 'lru-cache';

/** Memoizes a function of an object in a WeakMap: the result is garbage collected with the object. */
export function weakMemoize<Key extends object, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => getOrCreate(values, key, compute);
}

export function weakMemoizePair<A extends object, B extends object, Value extends NonNullable<unknown>>(
  compute: (a: A, b: B) => Value,
): (a: A, b: B) => Value {
  const memoizeFirst = weakMemoize((a: A) => weakMemoize((b: B) => compute(a, b)));
  return (a, b) => memoizeFirst(a)(b);
}

interface Values<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

export function getOrCreate<Key, Value>(
  values: Values<Key, Value>,
  key: Key,
  create: (key: Key) => Value,
): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = create(key);
    values.set(key, value);
  }
  return value;
}

/** Returns a map of the most recently used entries. LRUCache's `max` would allocate 400 kB at once for 20,000. */
export function lruMap<Value extends NonNullable<unknown>>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}

export function memoizeLast<T>(read: (header: string | undefined) => T): (header?: string) => T {
  let last: { readonly header: string | undefined; readonly value: T } | undefined;
  return (header) => {
    if (last === undefined || last.header !== header) last = { header, value: read(header) };
    return last.value;
  };
}
