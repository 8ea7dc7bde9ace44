import { lruMap } from '../memoize.ts';
import { MAX_CREDENTIALS } from './owner.ts';

const WINDOW_MS = 60_000;
/** How many calls are reserved at once, so that most need not ask. */
const BATCH = 10;

/** Calls that this process may make, of those that all processes together may make in the window. */
interface Reservation {
  readonly granted: number;
  /** Calls of the window that are granted to all processes. */
  readonly used: number;
  /** Until the window ends. */
  readonly resetMs: number;
}

/** Undefined if processes cannot share at the moment: each then counts for itself. */
export type Reserve = (
  credential: string,
  request: { readonly limit: number; readonly wanted: number; readonly windowMs: number },
) => Promise<Reservation | undefined>;

interface Window {
  endsAt: number;
  /** By this process. */
  sent: number;
  /** How many this process may send. */
  granted: number;
  /** How many are granted to all processes, if they share. */
  used: number;
  /** How many more are granted. */
  asking: Promise<number> | undefined;
}

/** Limits the calls of a credential to a number a minute, from its first; with `reserve`, of all processes together. */
export class CallLimit {
  readonly #limit: number;
  readonly #reserve: Reserve | undefined;
  readonly #windows = lruMap<Window>(MAX_CREDENTIALS);

  constructor(limit: number, reserve?: Reserve) {
    this.#limit = limit;
    this.#reserve = reserve;
  }

  /** Takes a call, if there is one left; asks other processes only if none is reserved. */
  take(credential: string): boolean | Promise<boolean> {
    const window = this.#windowOf(credential);
    this.#windows.set(credential, window);
    if (takeFrom(window)) return true;
    if (this.#reserve === undefined || Math.max(window.granted, window.used) >= this.#limit) return false;
    window.asking ??= this.#ask(credential, window, this.#reserve).finally(() => {
      window.asking = undefined;
    });
    // From the window that it asked for, though that has ended: each question with a grant serves somebody, so that
    // those whose calls others have taken do not ask for ever.
    return window.asking.then((granted) => granted > 0 && (takeFrom(window) || this.take(credential)));
  }

  /** How much of the limit is left, as far as this process knows. */
  standing(credential: string) {
    const { endsAt, sent, granted, used } = this.#windowOf(credential);
    // Where processes do not share, `used` is behind.
    const taken = Math.max(sent, used - (granted - sent));
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - taken),
      windowSeconds: WINDOW_MS / 1000,
      // To milliseconds first: what is left of a fraction would make it a second more than the window has.
      resetSeconds: Math.ceil(Math.round(endsAt - performance.now()) / 1000),
    };
  }

  async #ask(credential: string, window: Window, reserve: Reserve): Promise<number> {
    const askedAt = performance.now();
    const request = { limit: this.#limit, wanted: BATCH, windowMs: WINDOW_MS };
    const reservation = await reserve(credential, request);
    const granted = reservation?.granted ?? this.#limit - window.granted;
    window.granted += granted;
    if (reservation) {
      window.used = reservation.used;
      // Counted from before the question, so that it ends here no later than there.
      window.endsAt = askedAt + Math.min(Math.max(reservation.resetMs, 1), WINDOW_MS);
    }
    return granted;
  }

  #windowOf(credential: string): Window {
    const now = performance.now();
    const window = this.#windows.get(credential);
    if (window !== undefined && window.endsAt > now) return window;
    const granted = this.#reserve ? 0 : this.#limit;
    return { endsAt: now + WINDOW_MS, sent: 0, granted, used: 0, asking: undefined };
  }
}

function takeFrom(window: Window): boolean {
  if (window.sent >= window.granted) return false;
  window.sent += 1;
  return true;
}
