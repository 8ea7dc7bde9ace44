import { getHeapStatistics } from 'node:v8';

export type MemoryLimits = ReturnType<typeof memoryLimits>;

/**
 * What parts of the gateway may hold of the heap, whose size `--max-old-space-size` sets. A byte of a REST answer takes
 * one and a half once it is parsed, and one more in the answer that is made of it.
 */
export function memoryLimits(heapBytes = longLivedBytes()) {
  return {
    /** Bodies and REST answers until their operation has ended, and answers until they are sent. */
    operationBytes: Math.floor(heapBytes / 8),
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
