import { SharedLimit } from '../../limits/places.ts';
import type { Cancellation } from '../cancellation.ts';
import type { RestError } from '../errors.ts';

/** A free place goes to the oldest call whose owner may take it. */
export class CallPlaces {
  readonly running: SharedLimit;
  readonly waiting: SharedLimit;
  readonly #queue = new Set<{ readonly owner: string; readonly start: () => void }>();
  readonly #refuse: () => RestError;

  constructor(limits: { readonly running: number; readonly waiting: number }, refuse: () => RestError) {
    this.#refuse = refuse;
    this.running = new SharedLimit(limits.running);
    this.waiting = new SharedLimit(limits.waiting);
  }

  /** Takes a place, or returns a promise for one. Throws if too many wait. */
  take(owner: string, cancellation: Cancellation): Promise<void> | undefined {
    if (this.running.tryTake(owner)) return undefined;
    if (!this.waiting.tryTake(owner)) throw this.#refuse();
    return new Promise((resolve, reject) => {
      const leave = () => {
        cancellation.offAbort(onAbort);
        this.#queue.delete(call);
        this.waiting.release(owner);
      };
      const onAbort = () => {
        leave();
        reject(cancellation.error());
      };
      const call = { owner, start: () => resolve(leave()) };
      this.#queue.add(call);
      cancellation.onAbort(onAbort);
    });
  }

  release(owner: string): void {
    this.running.release(owner);
    for (const call of this.#queue) {
      if (!this.running.tryTake(call.owner)) continue;
      call.start();
      return;
    }
  }
}
