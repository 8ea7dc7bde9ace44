import { FairShare } from '../limits/fair-share.ts';
import { HttpError } from './errors.ts';

/** After so long without an operation let in, though some were refused, something is stuck. */
const STUCK_MS = 5_000;

const OVERLOADED = new HttpError(503, 'OVERLOADED', 'Too many operations are under way.', {
  'Retry-After': '1',
});

/**
 * Bounds the operations under way, with a fair share for each owner. Whoever cannot be served soon is told so at once,
 * so that the others stay fast.
 */
export class Admission {
  readonly #running: FairShare;
  readonly #now: () => number;
  #lastAdmitted: number;
  #lastRefused: string | undefined;

  constructor(maxOperations: number, now: () => number = () => performance.now()) {
    this.#running = new FairShare(maxOperations);
    this.#now = now;
    this.#lastAdmitted = now();
  }

  /** Admits an operation until `release`. */
  admit(owner: string): void {
    if (!this.#running.tryTake(owner)) {
      this.#lastRefused = owner;
      throw OVERLOADED;
    }
    this.#lastRefused = undefined;
    this.#lastAdmitted = this.#now();
  }

  release(owner: string): void {
    this.#running.release(owner);
  }

  /** Whether nothing has been let in for a while because nothing came out, though somebody asked. */
  get isStuck(): boolean {
    const refused = this.#lastRefused;
    if (refused === undefined || this.#running.mayTake(refused)) return false;
    return this.#now() - this.#lastAdmitted > STUCK_MS;
  }
}
