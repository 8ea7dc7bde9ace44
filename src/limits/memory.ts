import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

/** The heap for long-lived objects: Node's limit includes space for new ones, which are dropped soon. */
const LONG_LIVED_BYTES = getHeapStatistics().heap_size_limit - 75_000_000;

/** A byte of a REST response takes one and a half once it is parsed, and one more in the result. */
export function memoryLimits() {
  return {
    /** For bodies and REST responses until their operation has ended, and for results until they are sent. */
    operationBytes: Math.floor(LONG_LIVED_BYTES / 8),
    cacheBytes: Math.min(32_000_000, Math.floor(LONG_LIVED_BYTES / 12)),
  };
}

/** Node's types leave out `detail`. */
type Collection = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

/** Calls `onPressure` when a full collection leaves over 75 % of the heap in use. Other limits are estimates. */
export function watchHeap(onPressure: (usedBytes: number) => void): () => void {
  const observer = new PerformanceObserver((list) => {
    const kinds = list.getEntries().map(({ detail }: Collection) => detail?.kind);
    if (!kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR)) return;
    // Most new objects are garbage that the next collection drops.
    const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith('new_'));
    const used = spaces.reduce((bytes, space) => bytes + space.space_used_size, 0);
    if (used > LONG_LIVED_BYTES * 0.75) onPressure(used);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
