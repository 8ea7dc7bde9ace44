import { LRUCache } from 'lru-cache';
import { RestError } from '../errors.ts';
import type { Cancellation } from './cancellation.ts';

const MOST_RETRIES = 2;
/** A longer Retry-After is the cancellation's to wait for. */
const LONGEST_WAIT_MS = 2000;
const FIRST_WAIT_MS = 50;

const MOST_SAVED = 10;
const MOST_OWNERS = 10_000;

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
  const left = new LRUCache<string, number>({ max: MOST_OWNERS });
  return {
    earn(owner) {
      const retries = left.get(owner);
      if (retries === undefined) return;
      if (retries + 0.1 < MOST_SAVED) left.set(owner, retries + 0.1);
      else left.delete(owner);
    },
    spend(owner) {
      const retries = left.get(owner) ?? MOST_SAVED;
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
  readonly endsAt: number;
  readonly log?: { mayTryAgain(error: unknown): boolean } | undefined;
}

/** Tries a read again where that may help, never earlier than the service asks, never after the deadline. */
export async function withRetries<T>(
  run: () => Promise<T>,
  { budget, owner, cancellation, endsAt, log }: RetryOptions,
): Promise<T> {
  budget.earn(owner);
  for (let retries = 0; ; retries += 1) {
    try {
      return await run();
    } catch (error) {
      const wait = retries < MOST_RETRIES ? waitBefore(error, retries) : undefined;
      if (wait === undefined || performance.now() + wait >= endsAt || cancellation.isAborted) throw error;
      if (log?.mayTryAgain(error) === false || !budget.spend(owner)) throw error;
      await pause(wait, cancellation);
    }
  }
}

/** Milliseconds until a next try may help; undefined where it cannot. */
function waitBefore(error: unknown, retries: number): number | undefined {
  if (!(error instanceof RestError) || !isPassing(error)) return undefined;
  const asked = (error.retryAfter ?? 0) * 1000;
  if (asked > LONGEST_WAIT_MS) return undefined;
  // Callers who failed together must not come back together.
  const jittered = FIRST_WAIT_MS * 3 ** retries * (0.5 + Math.random());
  return asked + jittered;
}

/** A connection that broke, a service that is away for a moment, or a limit that says when it ends. */
function isPassing({ code, upstream, retryAfter }: RestError): boolean {
  if (code === 'RATE_LIMITED') return retryAfter !== undefined;
  if (code !== 'UPSTREAM_UNAVAILABLE' || upstream === undefined) return false;
  return [undefined, 502, 503, 504].includes(upstream.status);
}

function pause(milliseconds: number, cancellation: Cancellation): Promise<void> {
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
