import { jittered } from '../../limits/jitter.ts';
import { lruMap } from '../../memoize.ts';
import { isCertificateFault } from '../call-fault.ts';
import { RestError } from '../errors.ts';
import type { AttemptLog, Sender } from './attempt.ts';

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
export class RetryBudget {
  /** Of owners that have spent retries; all others have the maximum. */
  readonly #left = lruMap<number>(MAX_OWNERS);

  earn(owner: string): void {
    const retries = this.#left.get(owner);
    if (retries === undefined) return;
    if (retries + 0.1 < MAX_SAVED) this.#left.set(owner, retries + 0.1);
    else this.#left.delete(owner);
  }

  spend(owner: string): boolean {
    const retries = this.#left.get(owner) ?? MAX_SAVED;
    if (retries < 1) return false;
    this.#left.set(owner, retries - 1);
    return true;
  }
}

export interface RetryingSender extends Pick<Sender, 'owner' | 'cancellation'> {
  readonly log?: Pick<AttemptLog, 'mayRetry'> | undefined;
}

/** Retries a read if that may help, not before the Retry-After of the service and not after the deadline. */
export async function withRetries<T>(
  run: () => Promise<T>,
  { owner, cancellation, log }: RetryingSender,
  budget: RetryBudget,
  deadline: number,
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
  return requestedMs + jittered(BASE_DELAY_MS * 3 ** retries, 0.5, 1.5);
}

/** A broken connection, a temporarily unavailable service, or a rate limit with a Retry-After. */
function isTransient({ code, upstream, fault, retryAfter }: RestError): boolean {
  // Without `upstream` it is a limit of the gateway itself.
  if (upstream === undefined) return false;
  if (code === 'RATE_LIMITED') return retryAfter !== undefined;
  if (code !== 'UPSTREAM_UNAVAILABLE' || (fault && isCertificateFault(fault))) return false;
  return [undefined, 502, 503, 504].includes(upstream.status);
}
