import { isAddress } from './owner.ts';

/** Places of which one credential gets half, and one address a quarter: others find room beside them. */
export class Places {
  held = 0;
  readonly #limit: number;
  readonly #heldBy = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  tryTake(owner: string): boolean {
    const held = this.#heldBy.get(owner) ?? 0;
    const most = Math.ceil(this.#limit / (isAddress(owner) ? 4 : 2));
    if (this.held >= this.#limit || held >= most) return false;
    this.#heldBy.set(owner, held + 1);
    this.held += 1;
    return true;
  }

  /** To be called once for each place that was taken. */
  release(owner: string): void {
    const held = this.#heldBy.get(owner) ?? 0;
    if (held > 1) this.#heldBy.set(owner, held - 1);
    else this.#heldBy.delete(owner);
    this.held -= 1;
  }
}
