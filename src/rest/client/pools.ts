import { type Dispatcher, Pool } from 'undici';

/** Connection pools to the service. */
export interface Pools {
  readonly reads: Dispatcher;
  readonly writes: Dispatcher;
  close(): Promise<void>;
}

/**
 * A server may close an idle keep-alive connection while a request is being sent on it. A read is then retried. A write
 * must not be, so it never uses a connection that has been used before: writes have their own pool, and close their
 * connections (`reset` in attempt.ts).
 */
export function createPools(origin: string, connections: number): Pools {
  // The client sets a single deadline for the whole call, so undici's timeouts are off.
  const options = { headersTimeout: 0, bodyTimeout: 0 };
  const reads = new Pool(origin, { ...options, connections });
  // Limited by the concurrency limit only: no write should wait for a connection that is being closed.
  const writes = new Pool(origin, options);
  return {
    reads,
    writes,
    async close() {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}
