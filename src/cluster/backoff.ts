const FIRST_MS = 100;
const MAX_MS = 10_000;
/** A worker that has served this long was sound; what ended it was no fault of its start. */
const SOUND_MS = 30_000;

/** How long to wait before a worker is replaced: twice as long for each that ends soon after its start. */
export class Backoff {
  #next = FIRST_MS;

  /** `lifeMs`: how long the worker lived. */
  delayAfter(lifeMs: number): number {
    if (lifeMs >= SOUND_MS) this.#next = FIRST_MS;
    const delay = this.#next;
    this.#next = Math.min(MAX_MS, this.#next * 2);
    return delay;
  }
}
