/** A value that the page shows, and that changes by other means than its components. */
export interface Store<T> {
  get(): T;
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> & { put(value: T): void } {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    put(changed) {
      value = changed;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
