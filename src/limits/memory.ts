import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

/** What objects that live on may take: Node's limit of the heap has room for new ones too, which are dropped soon. */
const LONG_LIVED_BYTES = getHeapStatistics().heap_size_limit - 75_000_000;

/**
 * What parts of the gateway may hold of the heap, whose size `--max-old-space-size` sets. A byte of a REST answer takes
 * one and a half once it is parsed, and one more in the answer that is made of it.
 */
export function memoryLimits() {
  return {
    /** Bodies and REST answers until their operation has ended, and answers until they are sent. */
    operationBytes: Math.floor(LONG_LIVED_BYTES / 8),
    cacheBytes: Math.min(32_000_000, Math.floor(LONG_LIVED_BYTES / 12)),
  };
}

/** Node's types leave out `detail`. */
type Collection = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

/**
 * Calls `relieve` after each full garbage collection that leaves so much in use that the process may soon end. The limits
 * count what they know of, by estimates: this is measured, whatever holds it. Returns a function that ends the watch.
 */
export function watchHeap(onPressure: (usedBytes: number) => void): () => void {
  const observer = new PerformanceObserver((list) => {
    const kinds = list.getEntries().map(({ detail }: Collection) => detail?.kind);
    if (!kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR)) return;
    // Without new objects: most of those have been dropped already, and wait for the next collection.
    const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith('new_'));
    const used = spaces.reduce((bytes, space) => bytes + space.space_used_size, 0);
    if (used > LONG_LIVED_BYTES * 0.75) onPressure(used);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
