import { FairShare, Tally } from '../../limits/fair-share.ts';
import { TurnQueue } from '../../limits/turn-queue.ts';
import type { Cancellation } from '../cancellation.ts';
import { RestError } from '../errors.ts';

interface WaitingCall {
  readonly owner: string;
  readonly endpoint: string;
}

/** An endpoint may hold this many times the free slots: three quarters of all if it is the only one. */
const ENDPOINT_WEIGHT = 3;
/** At one endpoint an owner may hold this many times the slots left for it, so that other owners find room there. */
const OWNER_WEIGHT = 2;

/** Slots with a share for each owner and each endpoint. A single owner gets half, which leaves room for another of both. */
class Slots {
  readonly #owners: FairShare;
  readonly #endpoints = new Tally();
  /** By endpoint, of which there are few. */
  readonly #ownersAt = new Map<string, Tally>();

  constructor(limit: number) {
    this.#owners = new FairShare(limit);
  }

  tryTake(call: WaitingCall): boolean {
    const { owner, endpoint } = call;
    const owners = this.#ownersAtEndpoint(endpoint);
    if (owners.of(owner) >= OWNER_WEIGHT * this.#availableFor(endpoint)) return false;
    if (!this.#owners.tryTake(owner)) return false;
    this.#endpoints.add(endpoint);
    owners.add(owner);
    return true;
  }

  release(call: WaitingCall): void {
    this.#owners.release(call.owner);
    this.#endpoints.remove(call.endpoint);
    this.#ownersAtEndpoint(call.endpoint).remove(call.owner);
  }

  #ownersAtEndpoint(endpoint: string): Tally {
    let owners = this.#ownersAt.get(endpoint);
    if (owners === undefined) {
      owners = new Tally();
      this.#ownersAt.set(endpoint, owners);
    }
    return owners;
  }

  get held(): number {
    return this.#owners.held;
  }

  isFullFor(endpoint: string): boolean {
    return this.#availableFor(endpoint) <= 0;
  }

  /** How many more slots the endpoint may take: each one taken also reduces the free slots by one. */
  #availableFor(endpoint: string): number {
    return (ENDPOINT_WEIGHT * this.#owners.free - this.#endpoints.of(endpoint)) / (ENDPOINT_WEIGHT + 1);
  }
}

/**
 * Limits the calls in flight and the calls queued, with a fair share of both for each owner and each endpoint: neither
 * a greedy caller nor a slow endpoint can use up either. A freed slot goes round-robin to the endpoints with queued
 * calls, within an endpoint round-robin to its queued owners, and within an owner to the oldest call. A call is queued
 * only while its owner or endpoint may take no slot, so a new call never overtakes queued calls of the same owner to the
 * same endpoint.
 */
export class ConcurrencyLimit {
  readonly #running: Slots;
  readonly #waiting: Slots;
  readonly #onReject: () => void;
  readonly #queue = new TurnQueue();

  constructor(limits: {
    readonly running: number;
    readonly waiting: number;
    readonly onReject?: () => void;
  }) {
    this.#running = new Slots(limits.running);
    this.#waiting = new Slots(limits.waiting);
    this.#onReject = limits.onReject ?? (() => {});
  }

  get running(): number {
    return this.#running.held;
  }

  get queued(): number {
    return this.#waiting.held;
  }

  /** Takes a slot, or returns a promise for one. Throws if the owner's or endpoint's share of the queue is used up. */
  acquire(call: WaitingCall, cancellation: Cancellation): Promise<void> | undefined {
    if (this.#running.tryTake(call)) return undefined;
    if (!this.#waiting.tryTake(call)) {
      this.#onReject();
      const message = 'Too many REST calls are waiting. Try again in a moment.';
      throw new RestError('OVERLOADED', message, { retryAfter: 1 });
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        cancellation.offAbort(onAbort);
        resolve();
      };
      const onAbort = () => {
        if (this.#queue.remove(call.endpoint, call.owner, admit)) this.#waiting.release(call);
        reject(cancellation.error());
      };
      this.#queue.add(call.endpoint, call.owner, admit);
      cancellation.onAbort(onAbort);
    });
  }

  release(call: WaitingCall): void {
    this.#running.release(call);
    // Usually one call is admitted; more if the released slot also raises the share of another owner or endpoint.
    while (this.#admitNext());
  }

  #admitNext(): boolean {
    for (const [endpoint, owners] of this.#queue.groups) {
      // Skips all queued calls of a saturated endpoint at once.
      if (this.#running.isFullFor(endpoint)) continue;
      for (const owner of owners.keys()) {
        const call = { owner, endpoint };
        if (!this.#running.tryTake(call)) continue;
        const admit = this.#queue.take(endpoint, owner);
        this.#waiting.release(call);
        admit?.();
        return true;
      }
    }
    return false;
  }
}
