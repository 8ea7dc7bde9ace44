import { FairShare } from './fair-share.ts';

/** If operations are rejected and none is admitted for this long, the gateway counts as stuck. */
const STUCK_MS = 5_000;

/**
 * Limits the operations in flight, with a fair share for each owner. Operations over the limit are rejected at once,
 * not queued, so that admitted ones stay fast.
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

  /** Admits an operation until `release`; false if there is no room for it. */
  tryAdmit(owner: string): boolean {
    if (!this.#running.tryTake(owner)) {
      this.#lastRefused = owner;
      return false;
    }
    this.#lastRefused = undefined;
    this.#lastAdmitted = this.#now();
    return true;
  }

  get inFlight(): number {
    return this.#running.held;
  }

  release(owner: string): void {
    this.#running.release(owner);
  }

  /** Whether operations have been rejected for a while because none of those in flight completes. */
  get isStuck(): boolean {
    const refused = this.#lastRefused;
    if (refused === undefined || this.#running.mayTake(refused)) return false;
    return this.#now() - this.#lastAdmitted > STUCK_MS;
  }
}
