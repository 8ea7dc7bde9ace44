import { getHeapStatistics } from 'node:v8';

/** Heap budget of each part of the gateway; all budgets together fit into the heap. */
export interface MemoryLimits {
  /** Bytes of REST responses being received. */
  readonly restBytes: number;
  /** Bytes of parsed REST responses and of GraphQL responses being built, for all operations in progress. */
  readonly operationBytes: number;
  /** Bytes of connections, and of requests without their bodies. */
  readonly connectionBytes: number;
  /** Bytes of responses that clients have not read yet. */
  readonly unsentBytes: number;
  /** Bytes of request bodies being received. */
  readonly uploadBytes: number;
  /** Bytes of cached REST responses. */
  readonly cacheBytes: number;
}

/**
 * A byte of a REST response takes about one byte of heap once parsed, half a byte in the response built from it, and as
 * much again until it is garbage-collected. So operations use at most half of the heap, and the cache a fifth.
 * `--max-old-space-size` sets the heap size.
 */
export function memoryLimits(heapBytes = getHeapStatistics().heap_size_limit): MemoryLimits {
  return {
    restBytes: Math.floor(heapBytes / 16),
    operationBytes: Math.floor(heapBytes / 6),
    connectionBytes: Math.floor(heapBytes / 8),
    unsentBytes: Math.floor(heapBytes / 8),
    uploadBytes: Math.floor(heapBytes / 16),
    cacheBytes: Math.min(32_000_000, Math.floor(heapBytes / 12)),
  };
}
