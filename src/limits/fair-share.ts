import { Tally } from './tally.ts';

/**
 * A limited number of slots, shared by dynamic threshold: an owner may take a slot only while it holds fewer slots than
 * are free. A single greedy owner gets half of the slots, n greedy owners get 1/(n + 1) each, and the remainder stays
 * free for new owners. No list of owners is needed: an owner that holds no slots is not stored.
 */
export class FairShare {
  readonly limit: number;
  readonly #owners = new Tally();
  #held = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Slots taken by all owners. */
  get held(): number {
    return this.#held;
  }

  get free(): number {
    return this.limit - this.#held;
  }

  /** Number of owners that hold at least one slot. */
  get owners(): number {
    return this.#owners.size;
  }

  heldBy(owner: string): number {
    return this.#owners.of(owner);
  }

  mayTake(owner: string): boolean {
    return this.heldBy(owner) < this.free;
  }

  /** Takes a slot if the owner's share allows it. Each slot taken must be released once. */
  tryTake(owner: string): boolean {
    if (!this.mayTake(owner)) return false;
    this.#owners.add(owner);
    this.#held += 1;
    return true;
  }

  release(owner: string): void {
    if (this.#owners.remove(owner)) this.#held -= 1;
  }
}
