import { isAddressKey } from './limit-key.ts';

/** The share of one caller. A credential and its address together leave a quarter of each limit to others. */
const CALLER_SHARE = 3 / 8;
/** The share of all addresses together, so that made-up credentials leave room for accepted ones. */
const ADDRESSES_SHARE = 1 / 2;

/**
 * A limit that callers share, each up to its share, so that none uses all of it. A credential that the REST service
 * has accepted is a caller. All others count for their address, since anyone can make up credentials.
 */
export class FairLimit {
  inUse = 0;
  #inUseByAddresses = 0;
  readonly #inUseBy = new Map<string, number>();
  readonly #callerLimit: number;

  constructor(readonly limit: number) {
    this.#callerLimit = Math.ceil(limit * CALLER_SHARE);
  }

  tryAcquire(key: string, amount = 1): boolean {
    if (this.inUse + amount > this.limit || !this.isWithinShare(key, amount)) return false;
    this.forceAcquire(key, amount);
    return true;
  }

  forceAcquire(key: string, amount: number): void {
    const total = this.inUseBy(key) + amount;
    if (total > 0) this.#inUseBy.set(key, total);
    else this.#inUseBy.delete(key);
    if (isAddressKey(key)) this.#inUseByAddresses += amount;
    this.inUse += amount;
  }

  release(key: string, amount = 1): void {
    this.forceAcquire(key, -amount);
  }

  inUseBy(key: string): number {
    return this.#inUseBy.get(key) ?? 0;
  }

  /** A caller that uses nothing may exceed its share: a single large response must be possible. */
  isWithinShare(key: string, amount: number): boolean {
    const inUse = this.inUseBy(key);
    if (inUse > 0 && inUse + amount > this.#callerLimit) return false;
    const addresses = this.#inUseByAddresses;
    return (
      !isAddressKey(key) || addresses === 0 || addresses + amount <= Math.ceil(this.limit * ADDRESSES_SHARE)
    );
  }

  /** Returns the end of a message: how much the caller uses, if its share is the reason for a rejection. */
  describeShare(key: string): string {
    const inUse = this.inUseBy(key);
    if (inUse < this.#callerLimit || this.inUse >= this.limit) return '.';
    return `: this ${isAddressKey(key) ? 'address' : 'credential'} uses ${inUse} of its ${this.#callerLimit}.`;
  }
}

export class Reservation {
  #isReleased = false;

  constructor(
    private readonly limit: FairLimit,
    private key: string,
    private amount = 0,
    /** Called when there is no room for more, once everything has been released. */
    private readonly onFull = () => {},
    /** Whether more may be rejected. Otherwise the amount may exceed the limit. */
    private readonly canReject = () => true,
  ) {}

  add(more: number): void {
    if (this.#isReleased) return;
    if (more <= 0 || !this.canReject()) this.limit.forceAcquire(this.key, more);
    else if (!this.limit.tryAcquire(this.key, more)) this.release();
    if (this.#isReleased) this.onFull();
    else this.amount += more;
  }

  /** Moves the amount to the credential's key, once the service has accepted the credential. */
  moveTo(newKey: string): void {
    if (this.#isReleased || newKey === this.key) return;
    this.limit.forceAcquire(newKey, this.amount);
    this.limit.release(this.key, this.amount);
    this.key = newKey;
  }

  release(): void {
    if (!this.#isReleased) this.limit.release(this.key, this.amount);
    this.#isReleased = true;
  }
}
