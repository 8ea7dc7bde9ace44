import { LRUCache } from 'lru-cache';

/**
 * A map that holds at most so many entries, the most recently used. By its option `max`, LRUCache would allocate all of
 * them at once: 3 ms and 400 kB for 20,000.
 */
export function lruMap<Value extends NonNullable<unknown>>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
