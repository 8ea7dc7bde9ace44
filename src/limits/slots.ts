import { FairLimit } from './fair-limit.ts';

/** The pool is saturated after this long without a free slot. */
const SATURATED_MS = 5_000;
/** More requests than could start before they time out. Each caller has a share. */
const MAX_WAITING = 2_000;

interface Abortable {
  onAbort(listener: () => void): void;
  offAbort(listener: () => void): void;
  error(): Error;
}

interface Waiter {
  readonly key: string;
  readonly slots: number;
  readonly end: (isAcquired: boolean) => void;
}

/** Slots for work. A free slot goes to the caller that uses the fewest, and to its requests in their order. */
export class SlotPool extends FairLimit {
  readonly waiting: FairLimit;
  readonly #queues = new Map<string, Set<Waiter>>();
  #lastAcquiredAt = 0;
  #pausedUntil = 0;
  #isScheduled = false;

  constructor(limit: number, maxWaiting = MAX_WAITING) {
    super(limit);
    this.waiting = new FairLimit(maxWaiting);
  }

  /** Returns false if slots are too few or paused, the queue is full or `maxWaitMs` passes. Rejects if aborted. */
  acquire(key: string, abortable: Abortable, slots = 1, maxWaitMs?: number): boolean | Promise<boolean> {
    if (slots > this.limit || this.isPaused) return false;
    // A new request starts at once only if none is queued.
    if (this.waiting.inUse > 0 || !this.tryAcquire(key, slots))
      return this.waiting.tryAcquire(key) && this.#wait(key, abortable, slots, maxWaitMs);
    this.#lastAcquiredAt = performance.now();
    return true;
  }

  #wait(key: string, abortable: Abortable, slots: number, maxWaitMs?: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(key) ?? new Set();
      this.#queues.set(key, queue);
      const end = (isAcquired: boolean) => {
        clearTimeout(timer);
        abortable.offAbort(onAbort);
        queue.delete(waiter);
        if (queue.size === 0) this.#queues.delete(key);
        this.waiting.release(key);
        this.#schedule();
        resolve(isAcquired);
      };
      const onAbort = () => {
        reject(abortable.error());
        end(false);
      };
      const waiter = { key, slots, end };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(end, maxWaitMs, false);
      queue.add(waiter);
      abortable.onAbort(onAbort);
      this.#schedule();
    });
  }

  override release(key: string, slots = 1): void {
    super.release(key, slots);
    this.#schedule();
  }

  pauseFor(milliseconds: number): void {
    this.#pausedUntil = performance.now() + milliseconds;
    setTimeout(() => this.#schedule(), milliseconds).unref();
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  get isSaturated(): boolean {
    return this.inUse >= this.limit && performance.now() - this.#lastAcquiredAt > SATURATED_MS;
  }

  refuseWaiting(): void {
    for (const queue of this.#queues.values()) for (const { end } of queue) end(false);
  }

  /** Starts one request in each turn of the event loop, since hundreds together would block it. */
  #schedule(): void {
    if (this.#isScheduled || this.waiting.inUse === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.isPaused) this.#startNext();
    });
  }

  #startNext(): void {
    let next: Waiter | undefined;
    for (const [first] of this.#queues.values())
      if (first && this.isWithinShare(first.key, first.slots))
        if (!next || this.inUseBy(first.key) < this.inUseBy(next.key)) next = first;
    if (!next || this.inUse + next.slots > this.limit) return;
    const { key, slots, end } = next;
    // Callers that use equally many take turns.
    const queue = this.#queues.get(key) ?? new Set();
    this.#queues.delete(key);
    this.#queues.set(key, queue);
    this.forceAcquire(key, slots);
    this.#lastAcquiredAt = performance.now();
    end(true);
  }
}
