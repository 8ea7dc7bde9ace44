import { lruMap } from '../memoize.ts';

export const MAX_CREDENTIALS = 20_000;

const WINDOW_MS = 60_000;

/** Counts a call for all processes. Returns undefined if they cannot share: each then counts for itself. */
export type CountSharedCall = (
  credential: string,
  windowMs: number,
) => Promise<{ readonly used: number; readonly resetMs: number } | undefined>;

/** Limits a credential's calls per minute. Calls do not wait for `countShared`, so they may exceed the limit. */
export class CallLimit {
  readonly #windows = lruMap<{ used: number; endsAt: number }>(MAX_CREDENTIALS);

  constructor(
    private readonly limit: number,
    private readonly countShared?: CountSharedCall,
  ) {}

  take(credential: string): boolean {
    const window = this.#getWindow(credential);
    if (window.used >= this.limit) return false;
    window.used += 1;
    this.#windows.set(credential, window);
    const askedAt = performance.now();
    void this.countShared?.(credential, WINDOW_MS).then((shared) => {
      if (shared === undefined) return;
      window.used = Math.max(window.used, shared.used);
      // Measured from before the request, so that the window does not end later here than there.
      window.endsAt = Math.min(window.endsAt, askedAt + shared.resetMs);
    });
    return true;
  }

  getQuota(credential: string) {
    const { endsAt, used } = this.#getWindow(credential);
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - used),
      windowSeconds: WINDOW_MS / 1000,
      // Round to milliseconds first: a fraction would add a second to the window.
      resetSeconds: Math.ceil(Math.round(endsAt - performance.now()) / 1000),
    };
  }

  #getWindow(credential: string) {
    const now = performance.now();
    const window = this.#windows.get(credential);
    return window !== undefined && window.endsAt > now ? window : { used: 0, endsAt: now + WINDOW_MS };
  }
}
