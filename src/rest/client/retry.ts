import { lruMap } from '../../memoize.ts';
import { isCertificateFault } from '../call-fault.ts';
import type { Cancellation } from '../cancellation.ts';
import { RestError } from '../errors.ts';

const MAX_RETRIES = 2;
/** A longer Retry-After is returned to the caller instead. */
const MAX_WAIT_MS = 2000;
const BASE_DELAY_MS = 50;

const MAX_SAVED = 10;
const MAX_OWNERS = 10_000;

/**
 * Limits the extra load of retries on a failing service: each call earns a tenth of a retry, and up to 10 are saved, so
 * that transient failures are hidden and outages are not made worse. Each owner has its own budget, so that one
 * caller's failing reads do not use up the retries of another.
 */
interface RetryBudget {
  earn(owner: string): void;
  spend(owner: string): boolean;
}

export function createRetryBudget(): RetryBudget {
  // Only owners that have spent retries are stored; all others have the maximum.
  const left = lruMap<number>(MAX_OWNERS);
  return {
    earn(owner) {
      const retries = left.get(owner);
      if (retries === undefined) return;
      if (retries + 0.1 < MAX_SAVED) left.set(owner, retries + 0.1);
      else left.delete(owner);
    },
    spend(owner) {
      const retries = left.get(owner) ?? MAX_SAVED;
      if (retries < 1) return false;
      left.set(owner, retries - 1);
      return true;
    },
  };
}

export interface RetryOptions {
  readonly budget: RetryBudget;
  readonly owner: string;
  readonly cancellation: Cancellation;
  readonly deadline: number;
  readonly log?: { mayRetry(error: unknown): boolean } | undefined;
}

/** Retries a read if that may help, not before the Retry-After of the service and not after the deadline. */
export async function withRetries<T>(
  run: () => Promise<T>,
  { budget, owner, cancellation, deadline, log }: RetryOptions,
): Promise<T> {
  budget.earn(owner);
  for (let retries = 0; ; retries += 1) {
    try {
      return await run();
    } catch (error) {
      const delayMs = retries < MAX_RETRIES ? retryDelay(error, retries) : undefined;
      if (delayMs === undefined || performance.now() + delayMs >= deadline || cancellation.isAborted)
        throw error;
      if (log?.mayRetry(error) === false || !budget.spend(owner)) throw error;
      await cancellation.pause(delayMs);
    }
  }
}

/** Milliseconds until the next attempt; undefined if a retry cannot help. */
function retryDelay(error: unknown, retries: number): number | undefined {
  if (!(error instanceof RestError) || !isTransient(error)) return undefined;
  const requestedMs = (error.retryAfter ?? 0) * 1000;
  if (requestedMs > MAX_WAIT_MS) return undefined;
  // Jitter, so that calls that failed together are not retried together.
  const jittered = BASE_DELAY_MS * 3 ** retries * (0.5 + Math.random());
  return requestedMs + jittered;
}

/** A broken connection, a temporarily unavailable service, or a rate limit with a Retry-After. */
function isTransient({ code, upstream, fault, retryAfter }: RestError): boolean {
  // Without `upstream` it is a limit of the gateway itself.
  if (upstream === undefined) return false;
  if (code === 'RATE_LIMITED') return retryAfter !== undefined;
  if (code !== 'UPSTREAM_UNAVAILABLE' || (fault && isCertificateFault(fault))) return false;
  return [undefined, 502, 503, 504].includes(upstream.status);
}
