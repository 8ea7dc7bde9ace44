import { Client, Pool } from 'undici';
import { type CallFault, faultOfError } from '../call-fault.ts';

const DEADLINE_MS = 2_000;
const CACHE_MS = 5_000;

export type ProbeResult =
  | { readonly kind: 'answered'; readonly status: number; readonly milliseconds: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'unreachable'; readonly fault: CallFault };

/** Checks whether the service responds, without a credential that could be revoked. The result is cached and shared. */
export function createProbe(url: URL, deadlineMs = DEADLINE_MS, now = () => performance.now()) {
  // A separate connection: a probe queued behind a hundred slow calls would only measure those.
  const client = new Client(url.origin);
  let latest: Promise<ProbeResult> | undefined;
  let cachedUntil = 0;

  async function sendProbe(): Promise<ProbeResult> {
    const start = performance.now();
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const request = { method: 'HEAD', path: url.pathname, signal } as const;
      const { statusCode: status, body } = await client.request(request);
      const milliseconds = Math.ceil(performance.now() - start);
      await body.dump();
      return { kind: 'answered', status, milliseconds };
    } catch (error) {
      return signal.aborted ? { kind: 'silent' } : { kind: 'unreachable', fault: faultOfError(error) };
    }
  }

  return {
    check(): Promise<ProbeResult> {
      if (latest === undefined || now() >= cachedUntil) {
        cachedUntil = now() + CACHE_MS;
        latest = sendProbe();
      }
      return latest;
    },
    close: (): Promise<void> => client.destroy(),
  };
}

/**
 * Connection pools to the service. A server may close an idle keep-alive connection while a request is being sent on it.
 * A read is then retried. A write must not be, so it never uses a connection that has been used before: writes have their
 * own pool, and close their connections (`reset` in attempt.ts).
 */
export function createPools(origin: string, connections: number) {
  // The client sets a single deadline for the whole call, so undici's timeouts are off.
  const options = { headersTimeout: 0, bodyTimeout: 0 };
  return {
    reads: new Pool(origin, { ...options, connections }),
    // Limited by the concurrency limit only: no write should wait for a connection that is being closed.
    writes: new Pool(origin, options),
  };
}
