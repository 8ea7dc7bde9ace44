import { addressOf, isAddress } from './owner.ts';

/**
 * A limited number of slots, shared by dynamic threshold: an owner may take a slot only while it holds fewer slots than
 * are free. A single greedy owner gets half of the slots, n greedy owners get 1/(n + 1) each, and the remainder stays
 * free for new owners. No list of owners is needed: an owner that holds no slots is not stored.
 */
export class FairShare {
  readonly limit: number;
  readonly #owners = new Tally();
  held = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get free(): number {
    return this.limit - this.held;
  }

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
    this.held += 1;
    return true;
  }

  release(owner: string): void {
    if (this.#owners.remove(owner)) this.held -= 1;
  }
}

/** One process's part of a limit that holds for several together. */
export function shareOf(limit: number, processes: number): number {
  return Math.max(1, Math.floor(limit / processes));
}

/** Counts by name. Names with a count of zero are not stored. */
export class Tally {
  readonly #heldBy = new Map<string, number>();

  get size(): number {
    return this.#heldBy.size;
  }

  of(name: string): number {
    return this.#heldBy.get(name) ?? 0;
  }

  add(name: string): void {
    this.#heldBy.set(name, this.of(name) + 1);
  }

  clear(): void {
    this.#heldBy.clear();
  }

  /** Returns false if the count was already zero. */
  remove(name: string): boolean {
    const held = this.of(name);
    if (held > 1) this.#heldBy.set(name, held - 1);
    else this.#heldBy.delete(name);
    return held > 0;
  }
}

/** If operations are rejected and none is admitted for this long, the gateway counts as stuck. */
const STUCK_MS = 5_000;

export type Admission = ReturnType<typeof createAdmission>;

/** The part of all places that addresses have together: somebody with a thousand of them leaves some to credentials. */
const STRANGERS_SHARE = 0.75;
/** An address may hold this many times the free places: somebody with a thousand credentials leaves some to others. */
export const ADDRESS_WEIGHT = 7;

/** Limits the operations in flight, in fair shares. Others are rejected at once, so that admitted ones stay fast. */
export function createAdmission(maxOperations: number, now = () => performance.now()) {
  const running = new FairShare(maxOperations);
  const addresses = new Tally();
  let ofStrangers = 0;
  let lastAdmitted = now();
  /** Of the last one, if it was refused. */
  let refusedAddress: string | undefined;

  /** Whether one more of an address leaves a place to others, unless that is the first one. */
  function hasRoom(address: string): boolean {
    const held = addresses.of(address);
    return held === 0 ? running.free > 0 : held + 1 <= ADDRESS_WEIGHT * (running.free - 1);
  }

  function mayTake(owner: string): boolean {
    if (isAddress(owner) && ofStrangers >= maxOperations * STRANGERS_SHARE) return false;
    return running.mayTake(owner) && hasRoom(addressOf(owner));
  }

  return {
    /** Admits an operation until the function is called that it returns; undefined if there is no room for it. */
    admit(owner: string): (() => void) | undefined {
      if (!mayTake(owner)) {
        refusedAddress = addressOf(owner);
        return undefined;
      }
      refusedAddress = undefined;
      lastAdmitted = now();
      // It may come from another address by the time it ends.
      const address = addressOf(owner);
      const strangers = isAddress(owner) ? 1 : 0;
      running.tryTake(owner);
      addresses.add(address);
      ofStrangers += strangers;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        running.release(owner);
        addresses.remove(address);
        ofStrangers -= strangers;
      };
    },
    inFlight: () => running.held,

    /** Whether operations have been rejected for a while because none of those in flight completes. */
    isStuck(): boolean {
      // A caller that has used up its own share alone says nothing of the others.
      if (refusedAddress === undefined || hasRoom(refusedAddress)) return false;
      return now() - lastAdmitted > STUCK_MS;
    },
  };
}
