import { FairShare, Tally } from '../../limits/fair-share.ts';
import type { Cancellation } from '../cancellation.ts';
import { RestError } from '../errors.ts';

/** The owner that a call counts for, and its endpoint. */
export interface WaitingCall {
  readonly owner: string;
  readonly endpoint: string;
}

/**
 * Limits the calls in flight and the calls queued, with a fair share of both for each owner and each endpoint: neither
 * a greedy caller nor a slow endpoint can use up either.
 */
export interface ConcurrencyLimit {
  /** Takes a slot, or returns a promise for one. Throws if the owner's or endpoint's share of the queue is used up. */
  acquire(call: WaitingCall, cancellation: Cancellation): Promise<void> | undefined;
  release(call: WaitingCall): void;
  readonly running: number;
  readonly queued: number;
}

type Admit = () => void;

/** An endpoint may hold this many times the free slots: three quarters of all if it is the only one. */
const ENDPOINT_WEIGHT = 3;
/**
 * At one endpoint an owner may hold this many times the slots left for the endpoint, so that other owners find room
 * there.
 */
const OWNER_WEIGHT = 2;

/**
 * Slots with a fair share for each owner, and for each endpoint one that its owners share. A single owner gets half of
 * all slots, at one endpoint or several, which leaves room for another owner and another endpoint.
 */
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
 * A freed slot goes round-robin to the endpoints with queued calls, within an endpoint round-robin to its queued
 * owners, and within an owner to the oldest call. A call is queued only while its owner or endpoint may take no slot,
 * so a new call never overtakes queued calls of the same owner to the same endpoint.
 */
export function createConcurrencyLimit(limits: {
  readonly running: number;
  readonly waiting: number;
  readonly onReject?: () => void;
}): ConcurrencyLimit {
  const running = new Slots(limits.running);
  const waiting = new Slots(limits.waiting);
  // By endpoint and owner, least recently served first.
  const queues = new Map<string, Map<string, Set<Admit>>>();

  function acquire(call: WaitingCall, cancellation: Cancellation): Promise<void> | undefined {
    if (running.tryTake(call)) return undefined;
    if (!waiting.tryTake(call)) {
      limits.onReject?.();
      const message = 'Too many REST calls are waiting. Try again in a moment.';
      throw new RestError('OVERLOADED', message, { retryAfter: 1 });
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        cancellation.offAbort(onAbort);
        resolve();
      };
      const onAbort = () => {
        dequeue(call, admit);
        reject(cancellation.error());
      };
      enqueue(call, admit);
      cancellation.onAbort(onAbort);
    });
  }

  function enqueue({ owner, endpoint }: WaitingCall, admit: Admit): void {
    const owners = queues.get(endpoint) ?? new Map<string, Set<Admit>>();
    const queue = owners.get(owner) ?? new Set();
    queues.set(endpoint, owners.set(owner, queue.add(admit)));
  }

  function dequeue(call: WaitingCall, admit: Admit): void {
    const { owner, endpoint } = call;
    const owners = queues.get(endpoint);
    const queue = owners?.get(owner);
    if (!queue?.delete(admit)) return;
    if (queue.size === 0) owners?.delete(owner);
    if (owners?.size === 0) queues.delete(endpoint);
    waiting.release(call);
  }

  function release(call: WaitingCall): void {
    running.release(call);
    // Usually one call is admitted; more if the released slot also raises the share of another owner or endpoint.
    while (queues.size > 0 && admitNext());
  }

  function admitNext(): boolean {
    for (const [endpoint, owners] of queues) {
      // Skips all queued calls of a saturated endpoint at once.
      if (running.isFullFor(endpoint)) continue;
      for (const [owner, queue] of owners) {
        const call = { owner, endpoint };
        if (!running.tryTake(call)) continue;
        const [admit] = queue;
        if (admit === undefined) return false;
        dequeue(call, admit);
        // Round-robin: both endpoint and owner go to the end.
        if (queues.delete(endpoint)) queues.set(endpoint, owners);
        if (owners.delete(owner)) owners.set(owner, queue);
        admit();
        return true;
      }
    }
    return false;
  }

  return {
    acquire,
    release,
    get running() {
      return running.held;
    },
    get queued() {
      return waiting.held;
    },
  };
}
