/** Time per event loop turn for starting operations. */
const SLICE_MS = 5;

const RESOLVED = Promise.resolve();

/**
 * Schedules the start of operations and the sending of error responses. The synchronous part of an operation, such as
 * validating a new document, takes up to 25 ms, and an error response a tenth of a millisecond. Once they have used
 * `SLICE_MS` of an event loop turn, the others are queued for the next turns, round-robin by owner. In between,
 * connections are accepted, requests are read and disconnects are noticed. Time spent on anything else does not count:
 * otherwise operations would hardly start in turns that are long for other reasons.
 */
export class StartQueue {
  readonly #now: () => number;
  readonly #queues = new Map<string, (() => void)[]>();
  /** Time used in this turn so far. */
  #usedMs = 0;
  #isTurnScheduled = false;
  #isLimitedToOne = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns undefined to start at once, or a promise to wait for. */
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

  /** Starts at most one queued operation in this event loop turn. */
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

  /** Measures the time from now until all microtasks that follow have run. */
  #measure(onEnd?: () => void): void {
    const start = this.#now();
    // Promise continuations run as microtasks, and `nextTick` callbacks run after those. `queueMicrotask` would create
    // an async resource for each operation.
    RESOLVED.then(() =>
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
    // Round-robin: an owner with more queued goes to the end.
    this.#queues.delete(owner);
    if (queue.length > 0) this.#queues.set(owner, queue);
    start?.();
  }
}
