import { jittered } from '../../limits/jitter.ts';
import type { Cancellation } from '../cancellation.ts';
import { RestError } from '../errors.ts';
import { isOutage } from './breaker.ts';

const MAX_RETRIES = 2;
/** A longer Retry-After is returned to the caller instead. */
const MAX_WAIT_MS = 2000;
const BASE_DELAY_MS = 50;

/** Retries a read if that may help, not before the Retry-After of the service and not after the deadline. */
export async function withRetries<T>(
  run: () => Promise<T>,
  sender: { readonly cancellation: Cancellation; mayRetry(): boolean },
  deadline: number,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await run();
    } catch (error) {
      if (retries === MAX_RETRIES || !(error instanceof RestError && isTransient(error))) throw error;
      const requestedMs = (error.retryAfter ?? 0) * 1000;
      const delayMs = requestedMs + jittered(BASE_DELAY_MS * 3 ** retries, 0.5, 1.5);
      if (requestedMs > MAX_WAIT_MS || performance.now() + delayMs >= deadline) throw error;
      if (sender.cancellation.isAborted || !sender.mayRetry()) throw error;
      await sender.cancellation.pause(delayMs);
    }
  }
}

/** Another attempt a moment later would find the same certificate, and there is no time for it after a time-out. */
function isTransient(error: RestError): boolean {
  const { code, upstream, fault = '', retryAfter } = error;
  if (code === 'RATE_LIMITED') return upstream !== undefined && retryAfter !== undefined;
  return isOutage(error) && code !== 'UPSTREAM_TIMEOUT' && !/^tls_(?!protocol)/.test(fault);
}
