/** A value that the page shows, and that changes by other means than its components. */
export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    put(changed: T): void {
      value = changed;
      for (const listener of listeners) listener();
    },
    /** Returns a function that ends the subscription. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
