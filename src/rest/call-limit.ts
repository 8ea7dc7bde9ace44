import { lruMap } from '../memoize.ts';

/** How many credentials are remembered. */
export const MAX_CREDENTIALS = 20_000;

const WINDOW_MS = 60_000;

/** Counts a call with those of all processes; undefined if they cannot share at the moment: each then counts for itself. */
export type CountSharedCall = (
  credential: string,
  windowMs: number,
) => Promise<{ readonly used: number; readonly resetMs: number } | undefined>;

/**
 * Limits the calls of a credential to a number a minute, from its first. With `countShared`, of all processes together:
 * they tell each other behind the calls, which never wait for that, so what is under way may exceed the limit.
 */
export class CallLimit {
  readonly #windows = lruMap<{ used: number; endsAt: number }>(MAX_CREDENTIALS);

  constructor(
    private readonly limit: number,
    private readonly countShared?: CountSharedCall,
  ) {}

  /** Takes a call, if there is one left. */
  take(credential: string): boolean {
    const window = this.#windowOf(credential);
    if (window.used >= this.limit) return false;
    window.used += 1;
    this.#windows.set(credential, window);
    const askedAt = performance.now();
    void this.countShared?.(credential, WINDOW_MS).then((shared) => {
      if (shared === undefined) return;
      window.used = Math.max(window.used, shared.used);
      // Counted from before the question, so that it ends here no later than there.
      window.endsAt = Math.min(window.endsAt, askedAt + shared.resetMs);
    });
    return true;
  }

  /** How much of the limit is left, as far as this process knows. */
  getQuota(credential: string) {
    const { endsAt, used } = this.#windowOf(credential);
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - used),
      windowSeconds: WINDOW_MS / 1000,
      // To milliseconds first: what is left of a fraction would make it a second more than the window has.
      resetSeconds: Math.ceil(Math.round(endsAt - performance.now()) / 1000),
    };
  }

  #windowOf(credential: string) {
    const now = performance.now();
    const window = this.#windows.get(credential);
    return window !== undefined && window.endsAt > now ? window : { used: 0, endsAt: now + WINDOW_MS };
  }
}
