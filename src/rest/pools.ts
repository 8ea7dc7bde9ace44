import { type Dispatcher, Pool } from 'undici';

/** The connections to the service. */
export interface Pools {
  readonly reads: Dispatcher;
  readonly writes: Dispatcher;
  close(): Promise<void>;
}

/**
 * A service closes connections that are idle, and a request that is under way on one at that moment is lost. A read is
 * then sent again. A write must not be, so it never takes a connection that may have been idle for long: writes have a
 * pool of their own, whose connections serve again only in a burst.
 */
export function createPools(origin: string, connections: number): Pools {
  // One deadline of our own spans the whole of a call, so undici's are off.
  const options = { headersTimeout: 0, bodyTimeout: 0 };
  const reads = new Pool(origin, { ...options, connections });
  // Bounded by the concurrency limit alone: no write is to wait for a connection that is just being closed.
  const writes = new Pool(origin, {
    ...options,
    keepAliveTimeout: WRITE_IDLE_MS,
    // The service's own `Keep-Alive` goes before the timeout above, and never beyond this one.
    keepAliveMaxTimeout: WRITE_IDLE_MS,
    clientTtl: WRITE_CONNECTION_MS,
  });
  return {
    reads,
    writes,
    async close() {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

/** Far below what any service keeps a connection for. undici uses a timer of Node here, exact to a millisecond. */
const WRITE_IDLE_MS = 10;
/** Checked by the clock when a write is sent, so it holds even where a busy process lets that timer fire late. */
const WRITE_CONNECTION_MS = 1_000;
