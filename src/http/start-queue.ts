import { isSliceOver } from '../limits/time-slice.ts';

/**
 * Lets operations start. What an operation does at once, such as validating a new document, takes up to 25 ms: after
 * some milliseconds of that in one turn of the event loop the others start in turns of their own, one in each, and the
 * owners take turns as well. Meanwhile connections are accepted, requests read and clients that have gone noticed.
 */
export class StartQueue {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isPumping = false;

  /** A promise where the operation has to wait. */
  enter(owner: string): Promise<void> | undefined {
    if (this.#waiting.size === 0 && !isSliceOver()) return undefined;
    return new Promise((resolve) => {
      const queue = this.#waiting.get(owner);
      if (queue) queue.push(resolve);
      else this.#waiting.set(owner, [resolve]);
      if (!this.#isPumping) this.#pumpLater();
    });
  }

  #pumpLater(): void {
    this.#isPumping = true;
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isPumping = false;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [owner, queue] = first;
    const start = queue.shift();
    // An owner that waits for more goes to the end of the line.
    this.#waiting.delete(owner);
    if (queue.length > 0) this.#waiting.set(owner, queue);
    if (this.#waiting.size > 0) this.#pumpLater();
    start?.();
  }
}
