import { isAddress } from './owner.ts';

/** Counts bytes that are held: one credential may hold half of all, and one address a quarter. */
export class ByteCounter {
  held = 0;
  readonly #limit: number;
  readonly #heldBy = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns false if there is no room; whoever holds nothing may take all that is free. */
  tryTake(owner: string, bytes: number): boolean {
    const own = this.#heldBy.get(owner) ?? 0;
    const most = own === 0 ? this.#limit : this.#limit / (isAddress(owner) ? 4 : 2);
    if (this.held + bytes > this.#limit || own + bytes > most) return false;
    this.take(owner, bytes);
    return true;
  }

  /** Takes them even if there is no room. */
  take(owner: string, bytes: number): void {
    this.#heldBy.set(owner, (this.#heldBy.get(owner) ?? 0) + bytes);
    this.held += bytes;
  }

  release(owner: string, bytes: number): void {
    const left = (this.#heldBy.get(owner) ?? 0) - bytes;
    if (left > 0) this.#heldBy.set(owner, left);
    else this.#heldBy.delete(owner);
    this.held -= bytes;
  }
}
