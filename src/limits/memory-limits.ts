import { getHeapStatistics } from 'node:v8';

export type MemoryLimits = ReturnType<typeof memoryLimits>;

/**
 * Heap budget of each part of the gateway; all budgets together fit into the heap. A byte of a REST response takes about
 * one byte of heap once parsed, half a byte in the response built from it, and as much again until it is
 * garbage-collected. So operations use at most half of the heap, and the cache a fifth. `--max-old-space-size` sets the
 * heap size.
 */
export function memoryLimits(heapBytes = longLivedBytes()) {
  return {
    /** Bytes of REST responses being received. */
    restBytes: Math.floor(heapBytes / 16),
    /** Bytes of parsed REST responses and of GraphQL responses being built, for all operations in progress. */
    operationBytes: Math.floor(heapBytes / 6),
    /** Bytes of request bodies, and of responses that clients have not read yet. */
    transferBytes: Math.floor(heapBytes / 8),
    /** Bytes of cached REST responses. */
    cacheBytes: Math.min(32_000_000, Math.floor(heapBytes / 12)),
  };
}

/** What objects that live on may take: Node's limit of the heap has room for new ones too, which are dropped soon. */
export function longLivedBytes(flags = [...nodeOptions(), ...process.execArgv]): number {
  const given = flags.findLast((flag) => /^--max[-_]old[-_]space[-_]size=\d+$/.test(flag));
  const megabytes = Number(given?.split('=')[1] ?? 0);
  return megabytes * 1_000_000 || getHeapStatistics().heap_size_limit;
}

const nodeOptions = () => (process.env.NODE_OPTIONS ?? '').replaceAll('"', '').split(' ');
