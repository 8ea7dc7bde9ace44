import { getHeapStatistics } from 'node:v8';

/** How much of the heap each part of the gateway may take, so that all of them together fit into it. */
export interface MemoryLimits {
  /** Bytes of REST answers that are arriving. */
  readonly restBytes: number;
  /** Bytes of REST answers that have been read and of answers being made, for all operations under way. */
  readonly operationBytes: number;
  /** Bytes of answers that clients have not read yet. */
  readonly unsentBytes: number;
  /** Bytes of bodies that are arriving. */
  readonly uploadBytes: number;
  /** Bytes of REST answers that are kept. */
  readonly cacheBytes: number;
}

/**
 * A byte of JSON takes up to six of the heap once it is parsed and made into an answer, so operations may take half
 * of the heap with a twelfth in bytes, and the cache a fifth. `--max-old-space-size` sets the heap's size.
 */
export function memoryLimits(heapBytes = getHeapStatistics().heap_size_limit): MemoryLimits {
  return {
    restBytes: Math.floor(heapBytes / 16),
    operationBytes: Math.floor(heapBytes / 12),
    unsentBytes: Math.floor(heapBytes / 8),
    uploadBytes: Math.floor(heapBytes / 16),
    cacheBytes: Math.min(32_000_000, Math.floor(heapBytes / 24)),
  };
}
