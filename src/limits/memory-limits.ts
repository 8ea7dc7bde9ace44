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
 * A byte of a REST answer takes about one of the heap once it is parsed, half of one in the answer made of it, and as
 * much again until it is collected: so what operations hold takes half of the heap at most, and the cache a fifth.
 * `--max-old-space-size` sets the heap's size.
 */
export function memoryLimits(heapBytes = getHeapStatistics().heap_size_limit): MemoryLimits {
  return {
    restBytes: Math.floor(heapBytes / 16),
    operationBytes: Math.floor(heapBytes / 6),
    unsentBytes: Math.floor(heapBytes / 8),
    uploadBytes: Math.floor(heapBytes / 16),
    cacheBytes: Math.min(32_000_000, Math.floor(heapBytes / 12)),
  };
}
