import { isAddress } from './owner.ts';

/** Which part of a limit one caller may take: a credential that the service has accepted, or an address. */
interface Shares {
  readonly credential: number;
  readonly address: number;
}

/** A limit that callers share. One gets a part of it, so that others find room beside it. */
export class SharedLimit {
  held = 0;
  readonly limit: number;
  readonly #shares: Shares;
  readonly #heldBy = new Map<string, number>();

  constructor(limit: number, shares: Shares = { credential: 1 / 2, address: 1 / 4 }) {
    this.limit = limit;
    this.#shares = shares;
  }

  /** Returns false if there is no room; whoever holds nothing may take all that is free. */
  tryTake(owner: string, amount = 1): boolean {
    const own = this.#heldBy.get(owner) ?? 0;
    const most = own === 0 ? this.limit : this.#shareOf(owner);
    if (this.held + amount > this.limit || own + amount > most) return false;
    this.take(owner, amount);
    return true;
  }

  /** Says of the share of one caller that it is used up; nothing if it is the whole limit that is. */
  refusal(owner: string): string {
    const own = this.#heldBy.get(owner) ?? 0;
    const most = this.#shareOf(owner);
    if (own < most || this.held >= this.limit) return '.';
    return `: this ${isAddress(owner) ? 'address' : 'credential'} has ${own} of at most ${most}.`;
  }

  #shareOf(owner: string): number {
    return Math.ceil(this.limit * this.#shares[isAddress(owner) ? 'address' : 'credential']);
  }

  /** Takes it even if there is no room. */
  take(owner: string, amount: number): void {
    this.#heldBy.set(owner, (this.#heldBy.get(owner) ?? 0) + amount);
    this.held += amount;
  }

  release(owner: string, amount = 1): void {
    const left = (this.#heldBy.get(owner) ?? 0) - amount;
    if (left > 0) this.#heldBy.set(owner, left);
    else this.#heldBy.delete(owner);
    this.held -= amount;
  }
}

/** Full for so long, without anybody who found a place. */
const STUCK_MS = 5_000;

/** Places for what is under way. */
export class Places extends SharedLimit {
  /** Since when nobody has found a place. */
  #fullSince: number | undefined;
  #closedUntil = 0;

  /** Takes a place until the function is called that it returns; undefined if there is none. */
  admit(owner: string): (() => void) | undefined {
    if (this.held >= this.limit) this.#fullSince ??= performance.now();
    if (performance.now() < this.#closedUntil || !this.tryTake(owner)) return undefined;
    this.#fullSince = undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.release(owner);
      isHeld = false;
    };
  }

  /** Gives no places for so long. */
  close(milliseconds: number): void {
    this.#closedUntil = performance.now() + milliseconds;
  }

  /** Whether all places have been taken for a while, and none of those who hold them comes to an end. */
  isStuck(): boolean {
    if (this.#fullSince === undefined || this.held < this.limit) return false;
    return performance.now() - this.#fullSince > STUCK_MS;
  }
}

/** One process's part of a limit that holds for several together. */
export function shareOf(limit: number, processes: number): number {
  return Math.max(1, Math.floor(limit / processes));
}
