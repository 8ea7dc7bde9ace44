import { isAddress } from './owner.ts';

/** Which part of all places one caller may take: a credential that the service has accepted, or an address. */
export interface Shares {
  readonly credential: number;
  readonly address: number;
}

const SHARES: Shares = { credential: 1 / 2, address: 1 / 4 };
/** Full for so long, without anybody who found a place. */
const STUCK_MS = 5_000;

/** A limited number of places, of which one caller gets a part: others find room beside it. */
export class Places {
  held = 0;
  readonly #limit: number;
  readonly #shares: Shares;
  readonly #now: () => number;
  readonly #heldBy = new Map<string, number>();
  /** Since when nobody has found a place. */
  #fullSince: number | undefined;
  #closedUntil = 0;

  constructor(limit: number, shares = SHARES, now = () => performance.now()) {
    this.#limit = limit;
    this.#shares = shares;
    this.#now = now;
  }

  tryTake(owner: string): boolean {
    const held = this.#heldBy.get(owner) ?? 0;
    const { credential, address } = this.#shares;
    const most = Math.ceil(this.#limit * (isAddress(owner) ? address : credential));
    const isFull = this.held >= this.#limit;
    if (isFull) this.#fullSince ??= this.#now();
    if (isFull || held >= most || this.#now() < this.#closedUntil) return false;
    this.#fullSince = undefined;
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

  /** Takes a place until the function is called that it returns; undefined if there is none. */
  admit(owner: string): (() => void) | undefined {
    if (!this.tryTake(owner)) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.release(owner);
      isHeld = false;
    };
  }

  /** Gives no places for so long. */
  close(milliseconds: number): void {
    this.#closedUntil = this.#now() + milliseconds;
  }

  /** Whether all places have been taken for a while, and none of those who hold them comes to an end. */
  isStuck(): boolean {
    if (this.#fullSince === undefined || this.held < this.#limit) return false;
    return this.#now() - this.#fullSince > STUCK_MS;
  }
}

/** One process's part of a limit that holds for several together. */
export function shareOf(limit: number, processes: number): number {
  return Math.max(1, Math.floor(limit / processes));
}
