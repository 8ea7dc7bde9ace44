import { FairQueue } from './fair-queue.ts';
import { addressOf, isAddress } from './owner.ts';

/** How long work on large responses may block the event loop before it yields. */
const SLICE_MS = 5;

/** All long-running work shares one slice a turn: ten large responses at once delay a small one no more than one does. */
export class TimeSlices {
  readonly #now: () => number;
  #start: number | undefined;
  #number = 0;
  /** A stranger may have thousands of addresses: all of them together get no more time than credentials do. */
  readonly #waiting = new FairQueue();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get number(): number {
    return this.#number;
  }

  isOver(): boolean {
    if (this.#start === undefined) this.#begin();
    return this.#usedMs() > SLICE_MS;
  }

  next(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const path = isAddress(owner) ? ['addresses', owner] : ['credentials', addressOf(owner), owner];
      this.#waiting.add(path, resolve);
      if (this.#start === undefined) this.#begin();
    });
  }

  #usedMs(): number {
    return this.#start === undefined ? 0 : this.#now() - this.#start;
  }

  #begin(): void {
    this.#start = this.#now();
    setImmediate(() => this.#end());
  }

  async #end(): Promise<void> {
    this.#number += 1;
    this.#start = undefined;
    if (this.#waiting.isEmpty) return;
    this.#begin();
    // Hundreds of short lists may wait: one in each turn would take seconds.
    do await this.#resumeNext();
    while (!this.#waiting.isEmpty && this.#usedMs() <= SLICE_MS);
  }

  async #resumeNext(): Promise<void> {
    const next = this.#waiting.takeNext();
    if (next === undefined) return;
    const startedAt = this.#now();
    next.start();
    // When what was resumed has done what it does before it waits again, in the same turn of the event loop: at the
    // start of a turn, Node runs `nextTick` callbacks before promise continuations.
    await undefined;
    await new Promise<void>((resolve) => process.nextTick(resolve));
    this.#waiting.count(next.path, this.#now() - startedAt);
  }
}

const slices = new TimeSlices();

/** Whether long-running work has used up its time in this event loop turn. */
export const isSliceOver = (): boolean => slices.isOver();

export const currentSlice = (): number => slices.number;

/** Resolves in a later event loop turn, when long-running work of this owner may continue. */
export const nextSlice = (owner: string): Promise<void> => slices.next(owner);
