import type { PageStorage } from '../../src/graphiql/storage.ts';

export function memoryStorage(items: Record<string, string> = {}): PageStorage {
  const stored = new Map(Object.entries(items));
  return {
    get length() {
      return stored.size;
    },
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
    clear: () => stored.clear(),
  };
}
