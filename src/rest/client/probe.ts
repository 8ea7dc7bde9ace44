import { Client } from 'undici';

const DEADLINE_MS = 2_000;
const CACHE_MS = 5_000;

/** What became of a call that asked for nothing. */
export type ProbeResult =
  | { readonly kind: 'answered'; readonly status: number; readonly milliseconds: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'unreachable' };

export interface Probe {
  check(): Promise<ProbeResult>;
  close(): Promise<void>;
}

export interface ProbeOptions {
  readonly url: URL;
  readonly deadlineMs?: number;
  readonly now?: () => number;
}

/**
 * Finds out whether the service answers at all, with no credential, so that none can be revoked for it. What was
 * found is kept for a while and shared, so that nobody can burden the service by asking often.
 */
export function createProbe({
  url,
  deadlineMs = DEADLINE_MS,
  now = () => performance.now(),
}: ProbeOptions): Probe {
  // A connection of its own: behind a hundred slow calls it would find nothing but them.
  const client = new Client(url.origin);
  let latest: Promise<ProbeResult> | undefined;
  let cachedUntil = 0;

  async function sendProbe(): Promise<ProbeResult> {
    const start = performance.now();
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const { statusCode: status, body } = await client.request({
        method: 'HEAD',
        path: url.pathname,
        signal,
      });
      const milliseconds = Math.ceil(performance.now() - start);
      await body.dump();
      return { kind: 'answered', status, milliseconds };
    } catch {
      return { kind: signal.aborted ? 'silent' : 'unreachable' };
    }
  }

  return {
    check() {
      if (latest === undefined || now() >= cachedUntil) {
        cachedUntil = now() + CACHE_MS;
        latest = sendProbe();
      }
      return latest;
    },
    close: () => client.destroy(),
  };
}
