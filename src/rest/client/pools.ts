import { type Dispatcher, Pool } from 'undici';

/** The connections to the service. */
export interface Pools {
  readonly reads: Dispatcher;
  readonly writes: Dispatcher;
  close(): Promise<void>;
}

/**
 * A service closes connections that are idle, and a request that is under way on one at that moment is lost. A read is
 * then sent again. A write must not be, so it never takes a connection that has been used before: writes have a pool of
 * their own, and close theirs (`reset` in attempt.ts).
 */
export function createPools(origin: string, connections: number): Pools {
  // One deadline of our own spans the whole of a call, so undici's are off.
  const options = { headersTimeout: 0, bodyTimeout: 0 };
  const reads = new Pool(origin, { ...options, connections });
  // Bounded by the concurrency limit alone: no write is to wait for a connection that is just being closed.
  const writes = new Pool(origin, options);
  return {
    reads,
    writes,
    async close() {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}
