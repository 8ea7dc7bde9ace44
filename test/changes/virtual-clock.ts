/** How many times faster it goes than real time. */
export const SPEED = 40;

/** How much of it passes at once at most. */
export const MAX_STEP_MS = 500;

/**
 * A clock that goes faster than time, so that half a minute of a service takes a test less than a second. If the event
 * loop is busy, the clock is late, with everything that depends on it.
 */
export class VirtualClock {
  #now: number;
  #lastStep = performance.now();
  readonly #timer: NodeJS.Timeout;
  #waiting: { readonly at: number; readonly resolve: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
    this.#timer = setInterval(() => this.#step(), 1);
  }

  readonly now = (): number => this.#now;

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
    const passed = performance.now() - this.#lastStep;
    this.#lastStep += passed;
    this.#now += Math.min(Math.round(passed * SPEED), MAX_STEP_MS);
    const due = this.#waiting.filter(({ at }) => at <= this.#now);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#now);
    for (const { resolve } of due) resolve();
  }
}
