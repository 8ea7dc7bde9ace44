import { FairLimit } from './fair-limit.ts';

/** The pool is saturated after this long without a free slot. */
const SATURATED_MS = 5_000;
/** Beyond this many, the last would time out before it could start. */
const MAX_WAITING = 2_000;

interface Abortable {
  onAbort(listener: () => void): void;
  offAbort(listener: () => void): void;
  error(): Error;
}

interface Waiter {
  readonly key: string;
  readonly slots: number;
  readonly end: (outcome: 'acquired' | 'rejected') => void;
}

/** Slots for work. A free slot goes to the caller that uses the fewest, and to its requests in their order. */
export class SlotPool extends FairLimit {
  waiting = 0;
  readonly #queues = new Map<string, Set<Waiter>>();
  #lastAcquiredAt = 0;
  #pause: NodeJS.Timeout | undefined;
  #isScheduled = false;

  constructor(
    limit: number,
    private readonly maxWaiting = MAX_WAITING,
  ) {
    super(limit);
  }

  /** Returns false if there are too few slots, `maxWaitMs` passes or too many wait. Rejects if aborted. */
  acquire(key: string, abortable: Abortable, slots = 1, maxWaitMs?: number): boolean | Promise<boolean> {
    // Requests that wait hold memory, which is why the pool is paused.
    if (slots > this.limit || this.isPaused) return false;
    // A new request starts at once only if none is queued.
    if (this.waiting > 0 || !this.tryAcquire(key, slots)) return this.#wait(key, abortable, slots, maxWaitMs);
    this.#lastAcquiredAt = performance.now();
    return true;
  }

  #wait(key: string, abortable: Abortable, slots: number, maxWaitMs?: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(key) ?? new Set();
      this.#queues.set(key, queue);
      const end: Waiter['end'] = (outcome) => {
        clearTimeout(timer);
        abortable.offAbort(onAbort);
        queue.delete(waiter);
        if (queue.size === 0) this.#queues.delete(key);
        this.waiting -= 1;
        this.#schedule();
        resolve(outcome === 'acquired');
      };
      const onAbort = () => {
        reject(abortable.error());
        end('rejected');
      };
      const waiter = { key, slots, end };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(end, maxWaitMs, 'rejected');
      queue.add(waiter);
      this.waiting += 1;
      abortable.onAbort(onAbort);
      if (this.waiting > this.maxWaiting) this.#dropLast();
      this.#schedule();
    });
  }

  /** Ends the wait of the last request in the longest queue: a caller that sends too many loses its own. */
  #dropLast(): void {
    let longest = new Set<Waiter>();
    for (const queue of this.#queues.values()) if (queue.size >= longest.size) longest = queue;
    [...longest].at(-1)?.end('rejected');
  }

  override release(key: string, slots = 1): void {
    super.release(key, slots);
    this.#schedule();
  }

  pauseFor(milliseconds: number): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#schedule();
    }, milliseconds).unref();
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  get isSaturated(): boolean {
    return this.inUse >= this.limit && performance.now() - this.#lastAcquiredAt > SATURATED_MS;
  }

  rejectWaiting(): void {
    for (const queue of this.#queues.values()) for (const { end } of queue) end('rejected');
  }

  /** Starts one request in each turn of the event loop, since hundreds together would block it. */
  #schedule(): void {
    if (this.#isScheduled || this.waiting === 0) return;
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
    end('acquired');
  }
}
