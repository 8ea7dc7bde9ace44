import { Client } from 'undici';
import { type CallFault, faultOfError } from '../errors.ts';

const DEADLINE_MS = 2_000;

type ProbeResult =
  | { readonly kind: 'answered'; readonly status: number; readonly milliseconds: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'unreachable'; readonly fault: CallFault };

/** Finds out whether the service responds, on a connection of its own and without a credential that could be revoked. */
export async function probe(url: URL, deadlineMs = DEADLINE_MS): Promise<ProbeResult> {
  const client = new Client(url.origin);
  const start = performance.now();
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const { statusCode: status, body } = await client.request({ method: 'HEAD', path: url.pathname, signal });
    const milliseconds = Math.ceil(performance.now() - start);
    await body.dump();
    return { kind: 'answered', status, milliseconds };
  } catch (error) {
    return signal.aborted ? { kind: 'silent' } : { kind: 'unreachable', fault: faultOfError(error) };
  } finally {
    await client.destroy();
  }
}
