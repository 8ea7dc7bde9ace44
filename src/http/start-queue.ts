/** What starting may take of one turn of the event loop. */
const SLICE_MS = 5;

/**
 * Lets operations start, and refusals go out. What an operation does at once, such as validating a new document, takes
 * up to 25 ms, and a refusal a tenth of one: once they have taken some milliseconds of a turn of the event loop, the
 * others wait for the next ones, and owners take turns. Meanwhile connections are accepted, requests read and clients
 * that have gone noticed. Time that goes into anything else does not count: in a turn that is long for other reasons
 * operations would hardly start at all.
 */
export class StartQueue {
  readonly #now: () => number;
  readonly #queues = new Map<string, (() => void)[]>();
  /** What starting has taken of this turn so far. */
  #usedMs = 0;
  #isTurnScheduled = false;
  #isLimitedToOne = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A promise where the owner has to wait. */
  enter(owner: string): Promise<void> | undefined {
    this.#scheduleTurn();
    if (this.#queues.size === 0 && this.#usedMs < SLICE_MS) {
      this.#measure();
      return undefined;
    }
    return new Promise((resolve) => {
      const queue = this.#queues.get(owner);
      if (queue) queue.push(resolve);
      else this.#queues.set(owner, [resolve]);
    });
  }

  /** Has one of those that wait start in this turn, and no more. */
  limitTurnToOne(): void {
    this.#isLimitedToOne = true;
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    setImmediate(() => this.#runTurn());
  }

  async #runTurn(): Promise<void> {
    this.#isTurnScheduled = false;
    this.#usedMs = 0;
    const isLimitedToOne = this.#isLimitedToOne;
    this.#isLimitedToOne = false;
    while (this.#queues.size > 0) {
      const measured = new Promise<void>((resolve) => this.#measure(resolve));
      this.#startNext();
      await measured;
      if (isLimitedToOne || this.#usedMs >= SLICE_MS) break;
    }
    if (this.#queues.size > 0) this.#scheduleTurn();
  }

  /** Counts what happens from now on until nothing more follows from it at once. */
  #measure(onEnd?: () => void): void {
    const start = this.#now();
    // What waits for a promise goes on in a microtask, and Node runs a tick once there are no more of those.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#usedMs += this.#now() - start;
        onEnd?.();
      }),
    );
  }

  #startNext(): void {
    const [first] = this.#queues;
    if (first === undefined) return;
    const [owner, queue] = first;
    const start = queue.shift();
    // An owner that waits for more goes to the end of the line.
    this.#queues.delete(owner);
    if (queue.length > 0) this.#queues.set(owner, queue);
    start?.();
  }
}
