import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { longLivedBytes } from './memory-limits.ts';

/** The part of the heap that may be in use after a full garbage collection. A process beyond it may soon end. */
const MAX_USED = 0.75;
const FULL_COLLECTION = 4;

/**
 * Calls `relieve` after each full garbage collection that leaves more than `maxBytes` in use. The budgets count what
 * they know of, by estimates: this is measured, whatever holds it. Returns a function that ends the watch.
 */
export function watchHeap(
  relieve: (usedBytes: number) => void,
  maxBytes = longLivedBytes() * MAX_USED,
): () => void {
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFullCollection)) return;
    const used = usedBytes();
    if (used > maxBytes) relieve(used);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}

/** Node's types leave out `detail`. */
function isFullCollection({ detail }: PerformanceEntry & { readonly detail?: { readonly kind?: number } }) {
  return detail?.kind === FULL_COLLECTION;
}

/** Without new objects: most of those have been dropped already, and wait for the next collection. */
function usedBytes(): number {
  let bytes = 0;
  for (const { space_name: name, space_used_size: used } of getHeapSpaceStatistics()) {
    if (!name.startsWith('new_')) bytes += used;
  }
  return bytes;
}
