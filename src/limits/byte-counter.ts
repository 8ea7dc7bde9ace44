import { isAddress } from './owner.ts';

const DEFAULT_BYTES = 64_000_000;

/**
 * Counts the bytes that are held for callers: bodies and REST answers until their operation has ended, answers until they
 * are sent. One credential may hold half of all, and one address a quarter.
 */
export class ByteCounter {
  held = 0;
  readonly limit: number;
  readonly #heldBy = new Map<string, number>();

  constructor(limit = DEFAULT_BYTES) {
    this.limit = limit;
  }

  /** Returns false if there is no room; whoever holds nothing may take all that is free. */
  tryTake(owner: string, bytes: number): boolean {
    const own = this.#heldBy.get(owner) ?? 0;
    const most = own === 0 ? this.limit : this.limit / (isAddress(owner) ? 4 : 2);
    if (this.held + bytes > this.limit || own + bytes > most) return false;
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

  /** `onFull` is called once, when there is no room for more of it and all of it has been released. */
  hold(owner: string, onFull: () => void, isRefusable: () => boolean = () => true): Holding {
    return new Holding(this, owner, onFull, isRefusable);
  }
}

/** What one operation holds, for its caller. */
export class Holding {
  readonly #counter: ByteCounter;
  readonly #owner: string;
  readonly #onFull: () => void;
  readonly #isRefusable: () => boolean;
  #isReleased = false;
  amount = 0;

  constructor(counter: ByteCounter, owner: string, onFull: () => void, isRefusable: () => boolean) {
    this.#counter = counter;
    this.#owner = owner;
    this.#onFull = onFull;
    this.#isRefusable = isRefusable;
  }

  /** Takes more, or gives some back. */
  add(bytes: number): void {
    if (this.#isReleased) return;
    if (bytes <= 0) this.#counter.release(this.#owner, -bytes);
    else if (!this.#isRefusable()) this.#counter.take(this.#owner, bytes);
    else if (!this.#counter.tryTake(this.#owner, bytes)) {
      this.release();
      this.#onFull();
      return;
    }
    this.amount += bytes;
  }

  /** Releases the whole amount; further calls do nothing. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#counter.release(this.#owner, this.amount);
  }
}
