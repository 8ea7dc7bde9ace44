import { Tally } from './tally.ts';

/**
 * A limited number of slots, shared by dynamic threshold: an owner may take one only while it holds fewer than are
 * free. One greedy owner so gets half of them, n of them get one part each of n + 1, and the rest stays free for those
 * who come next. It needs no list of owners: one that holds nothing is forgotten.
 */
export class FairShare {
  readonly limit: number;
  readonly #owners = new Tally();
  #held = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** How many are taken, by all owners. */
  get held(): number {
    return this.#held;
  }

  get free(): number {
    return this.limit - this.#held;
  }

  /** How many owners hold any. */
  get owners(): number {
    return this.#owners.size;
  }

  heldBy(owner: string): number {
    return this.#owners.of(owner);
  }

  mayTake(owner: string): boolean {
    return this.heldBy(owner) < this.free;
  }

  /** Takes a slot, if the owner may. Each one taken is to be released once. */
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
