import { lruMap } from '../memoize.ts';

const WINDOW_MS = 60_000;
const MAX_CREDENTIALS = 20_000;
/** How many calls are reserved at once, so that most need not ask. */
const BATCH = 10;

/** Calls that this process may make, of those that all processes together may make in the window. */
export interface Reservation {
  readonly granted: number;
  /** Calls of the window that are granted to all processes. */
  readonly used: number;
  /** Until the window ends. */
  readonly resetMs: number;
}

export interface ReservationRequest {
  readonly limit: number;
  readonly wanted: number;
  readonly windowMs: number;
}

/** Undefined if processes cannot share at the moment: each then counts for itself. */
export type Reserve = (credential: string, request: ReservationRequest) => Promise<Reservation | undefined>;

/** How much of the limit is left, as far as this process knows. */
interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  readonly resetSeconds: number;
}

interface Window {
  endsAt: number;
  /** By this process. */
  sent: number;
  /** Granted to all processes. */
  used: number;
  /** Granted to this process and not yet sent. */
  reserved: number;
  /** How many were granted; undefined if processes cannot share. */
  asking: Promise<number | undefined> | undefined;
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
    if (this.#reserve === undefined) return this.#takeAlone(window);
    if (takeReserved(window)) return true;
    if (window.used >= this.#limit) return false;
    window.asking ??= this.#ask(credential, window, this.#reserve).finally(() => {
      window.asking = undefined;
    });
    return window.asking.then((granted) => {
      if (granted === undefined) return this.#takeAlone(this.#windowOf(credential));
      // From the window that it asked for, though that has ended: each question with a grant serves somebody, so that
      // those whose calls others have taken do not ask for ever.
      return granted > 0 && (takeReserved(window) || this.take(credential));
    });
  }

  standing(credential: string): Standing {
    const now = performance.now();
    const { endsAt, sent, used, reserved } = this.#current(credential, now) ?? newWindow(now);
    // Where processes do not share, `used` is behind.
    const remaining = this.#limit - Math.max(sent, used - reserved);
    return {
      limit: this.#limit,
      remaining: Math.max(0, remaining),
      windowSeconds: WINDOW_MS / 1000,
      // To milliseconds first: what is left of a fraction would make it a second more than the window has.
      resetSeconds: Math.ceil(Math.round(endsAt - now) / 1000),
    };
  }

  #takeAlone(window: Window): boolean {
    if (window.sent >= this.#limit) return false;
    window.sent += 1;
    return true;
  }

  async #ask(credential: string, window: Window, reserve: Reserve): Promise<number | undefined> {
    const askedAt = performance.now();
    const options = { limit: this.#limit, wanted: BATCH, windowMs: WINDOW_MS };
    const reservation = await reserve(credential, options);
    if (reservation === undefined) return undefined;
    const { granted, used, resetMs } = reservation;
    window.reserved += granted;
    window.used = used;
    // Counted from before the question, so that it ends here no later than there.
    window.endsAt = askedAt + Math.min(Math.max(resetMs, 1), WINDOW_MS);
    return granted;
  }

  #windowOf(credential: string): Window {
    const now = performance.now();
    const current = this.#current(credential, now);
    if (current !== undefined) return current;
    const window = newWindow(now);
    this.#windows.set(credential, window);
    return window;
  }

  #current(credential: string, now: number): Window | undefined {
    const window = this.#windows.get(credential);
    return window !== undefined && window.endsAt > now ? window : undefined;
  }
}

function takeReserved(window: Window): boolean {
  if (window.reserved <= 0) return false;
  window.reserved -= 1;
  window.sent += 1;
  return true;
}

function newWindow(now: number): Window {
  return { endsAt: now + WINDOW_MS, sent: 0, used: 0, reserved: 0, asking: undefined };
}
