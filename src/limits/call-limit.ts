import { lruMap } from '../memoize.ts';
import { MAX_CREDENTIALS } from './owner.ts';

const WINDOW_MS = 60_000;

/** What all processes together have taken of the window, with the call that was asked for if there was one left. */
interface SharedWindow {
  readonly isTaken: boolean;
  readonly used: number;
  /** Until the window ends. */
  readonly resetMs: number;
}

/** Takes a call of all processes together; undefined if they cannot share at the moment: each then counts for itself. */
export type TakeSharedCall = (
  credential: string,
  limit: number,
  windowMs: number,
) => Promise<SharedWindow | undefined>;

interface Window {
  used: number;
  endsAt: number;
}

/** Limits the calls of a credential to a number a minute, from its first; with `takeShared`, of all processes together. */
export class CallLimit {
  readonly #limit: number;
  readonly #takeShared: TakeSharedCall | undefined;
  readonly #windows = lruMap<Window>(MAX_CREDENTIALS);

  constructor(limit: number, takeShared?: TakeSharedCall) {
    this.#limit = limit;
    this.#takeShared = takeShared;
  }

  /** Takes a call, if there is one left. */
  async take(credential: string): Promise<boolean> {
    if (this.#windowOf(credential).used >= this.#limit) return false;
    const askedAt = performance.now();
    const shared = await this.#takeShared?.(credential, this.#limit, WINDOW_MS);
    const window = this.#windowOf(credential);
    this.#windows.set(credential, window);
    if (shared) {
      window.used = shared.used;
      // Counted from before the question, so that it ends here no later than there.
      window.endsAt = askedAt + Math.min(Math.max(shared.resetMs, 1), WINDOW_MS);
      return shared.isTaken;
    }
    if (window.used >= this.#limit) return false;
    window.used += 1;
    return true;
  }

  /** How much of the limit is left, as far as this process knows. */
  standing(credential: string) {
    const { endsAt, used } = this.#windowOf(credential);
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - used),
      windowSeconds: WINDOW_MS / 1000,
      // To milliseconds first: what is left of a fraction would make it a second more than the window has.
      resetSeconds: Math.ceil(Math.round(endsAt - performance.now()) / 1000),
    };
  }

  #windowOf(credential: string): Window {
    const now = performance.now();
    const window = this.#windows.get(credential);
    return window !== undefined && window.endsAt > now ? window : { used: 0, endsAt: now + WINDOW_MS };
  }
}
