import { isAddress } from './owner.ts';

/** What one operation holds, for its caller: `add` takes more, or gives some back; `release` ends it. */
export type Holding = ReturnType<SharedLimit['hold']>;

/** A limit that callers share. One gets a part of it, so that others find room beside it. */
export class SharedLimit {
  held = 0;
  readonly #heldBy = new Map<string, number>();

  /** `shares`: the part of it for a credential that the service has accepted, and for an address. */
  constructor(
    readonly limit: number,
    private readonly shares = { credential: 1 / 2, address: 1 / 4 },
  ) {}

  /** Returns false if there is no room; whoever holds nothing may take all that is free. */
  tryTake(owner: string, amount = 1): boolean {
    const { own, most } = this.#shareOf(owner);
    if (this.held + amount > this.limit || (own > 0 && own + amount > most)) return false;
    this.take(owner, amount);
    return true;
  }

  /** Says of the share of one caller that it is used up; nothing if it is the whole limit that is. */
  refusal(owner: string): string {
    const { kind, own, most } = this.#shareOf(owner);
    return own < most || this.held >= this.limit ? '.' : `: this ${kind} has ${own} of at most ${most}.`;
  }

  #shareOf(owner: string) {
    const kind = isAddress(owner) ? 'address' : 'credential';
    const own = this.#heldBy.get(owner) ?? 0;
    return { kind, own, most: Math.ceil(this.limit * this.shares[kind]) };
  }

  /** Takes it even if there is no room. */
  take(owner: string, amount: number): void {
    const own = (this.#heldBy.get(owner) ?? 0) + amount;
    if (own > 0) this.#heldBy.set(owner, own);
    else this.#heldBy.delete(owner);
    this.held += amount;
  }

  release(owner: string, amount = 1): void {
    this.take(owner, -amount);
  }

  /** If there is no room for more, all of it is released, and `onFull` called once. `held` was taken before. */
  hold(owner: string, onFull: () => void, isRefusable = () => true, held = 0) {
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.release(owner, held);
      isReleased = true;
    };
    const add = (amount: number) => {
      if (isReleased) return;
      if (amount <= 0 || !isRefusable()) this.take(owner, amount);
      else if (!this.tryTake(owner, amount)) {
        release();
        return onFull();
      }
      held += amount;
    };
    return { add, release };
  }
}

/** All places have been taken for so long. */
const STUCK_MS = 5_000;

/** Places for what is under way. */
export class Places extends SharedLimit {
  #lastTakenAt = 0;
  #closedUntil = 0;

  /** Takes a place until the function is called that it returns; undefined if there is none. */
  admit(owner: string): (() => void) | undefined {
    const now = performance.now();
    if (now < this.#closedUntil || !this.tryTake(owner)) return undefined;
    this.#lastTakenAt = now;
    return this.hold(owner, () => {}, undefined, 1).release;
  }

  /** Gives no places for so long. */
  close(milliseconds: number): void {
    this.#closedUntil = performance.now() + milliseconds;
  }

  /** Whether none of those who hold the places comes to an end. */
  isStuck(): boolean {
    return this.held >= this.limit && performance.now() - this.#lastTakenAt > STUCK_MS;
  }
}
