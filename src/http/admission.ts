import { Refusal } from './operation.ts';

/** After so long without an operation let in, though all places are taken, something is stuck. */
const STUCK_MS = 5_000;

/** Bounds the operations under way. Whoever cannot be served soon is told so at once, so that the others stay fast. */
export class Admission {
  readonly #maxOperations: number;
  readonly #now: () => number;
  #running = 0;
  #lastAdmitted: number;

  constructor(maxOperations: number, now: () => number = () => performance.now()) {
    this.#maxOperations = maxOperations;
    this.#now = now;
    this.#lastAdmitted = now();
  }

  /** Admits an operation until `release`. */
  admit(_owner: string): void {
    if (this.#running >= this.#maxOperations) throw overloaded();
    this.#running += 1;
    this.#lastAdmitted = this.#now();
  }

  release(_owner: string): void {
    this.#running -= 1;
  }

  /** Whether nothing has been let in for a while because nothing came out. */
  get isStuck(): boolean {
    return this.#running >= this.#maxOperations && this.#now() - this.#lastAdmitted > STUCK_MS;
  }
}

function overloaded(): Refusal {
  return new Refusal(503, 'OVERLOADED', 'Too many operations are under way.', { 'Retry-After': '1' });
}
