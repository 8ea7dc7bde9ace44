import { LRUCache } from 'lru-cache';
import { RestError } from '../errors.ts';
import type { Cancellation } from './cancellation.ts';

const MAX_RETRIES = 2;
/** A longer Retry-After is the cancellation's to wait for. */
const MAX_WAIT_MS = 2000;
const BASE_DELAY_MS = 50;

const MAX_SAVED = 10;
const MAX_OWNERS = 10_000;

/**
 * What a failing service may be burdened with on top: each call earns a tenth of a retry, and a few are
 * saved up, so that a passing fault is hidden and a lasting one is not made worse. Each owner has a budget of its own,
 * so that one cancellation's failing reads do not use up the retries of another.
 */
export interface RetryBudget {
  earn(owner: string): void;
  spend(owner: string): boolean;
}

export function createRetryBudget(): RetryBudget {
  // Only of owners that have spent some: all others have all that can be saved.
  const left = new LRUCache<string, number>({ max: MAX_OWNERS });
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

/** Tries a read again where that may help, never earlier than the service asks, never after the deadline. */
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
      await delay(delayMs, cancellation);
    }
  }
}

/** Milliseconds until a next try may help; undefined where it cannot. */
function retryDelay(error: unknown, retries: number): number | undefined {
  if (!(error instanceof RestError) || !isTransient(error)) return undefined;
  const requestedMs = (error.retryAfter ?? 0) * 1000;
  if (requestedMs > MAX_WAIT_MS) return undefined;
  // Callers who failed together must not come back together.
  const jittered = BASE_DELAY_MS * 3 ** retries * (0.5 + Math.random());
  return requestedMs + jittered;
}

/** A connection that broke, a service that is away for a moment, or a limit that says when it ends. */
function isTransient({ code, upstream, retryAfter }: RestError): boolean {
  if (code === 'RATE_LIMITED') return retryAfter !== undefined;
  if (code !== 'UPSTREAM_UNAVAILABLE' || upstream === undefined) return false;
  return [undefined, 502, 503, 504].includes(upstream.status);
}

function delay(milliseconds: number, cancellation: Cancellation): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      cancellation.offAbort(done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    cancellation.onAbort(done);
  });
}
