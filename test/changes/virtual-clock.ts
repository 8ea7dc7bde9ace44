/** How much time passes at once. */
const STEP_MS = 100;

/**
 * Time that passes about a hundred times faster than it does, so that minutes of a service take a test a second. It is
 * counted in turns of the event loop, not in real time: on a busy machine it goes slower, as all that depends on it.
 */
export class VirtualClock {
  #now: number;
  readonly #timer: NodeJS.Timeout;
  #waiting: { readonly at: number; readonly resolve: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
    this.#timer = setInterval(() => this.#step(), 1);
  }

  readonly now = (): number => this.#now;

  /** Resolves at a moment, or at once if that has passed. */
  until(at: number): Promise<void> {
    if (at <= this.#now) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ at, resolve });
    });
  }

  after(milliseconds: number): Promise<void> {
    return this.until(this.#now + milliseconds);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #step(): void {
    this.#now += STEP_MS;
    const due = this.#waiting.filter(({ at }) => at <= this.#now);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#now);
    for (const { resolve } of due) resolve();
  }
}
