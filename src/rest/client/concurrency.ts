import { FairShare } from '../../limits/fair-share.ts';
import { Tally } from '../../limits/tally.ts';
import { RestError } from '../errors.ts';
import type { Cancellation } from './cancellation.ts';

/** Whom a call counts for, and what it calls. */
export interface Call {
  readonly owner: string;
  readonly endpoint: string;
}

/**
 * Bounds how many calls run at once, and how many wait in a queue, with a fair share of both for each owner and for
 * each endpoint: neither a greedy caller nor a slow endpoint takes all of them.
 */
export interface ConcurrencyLimit {
  /** Takes a slot; a promise where it has to be waited for. Throws where its share of the queue is used up. */
  acquire(call: Call, cancellation: Cancellation): Promise<void> | undefined;
  /** Gives the slot back. */
  release(call: Call): void;
}

type Admit = () => void;

/** An endpoint may hold so many times what is free: three quarters of all, where it is the only one. */
const ENDPOINT_WEIGHT = 3;
/** At an endpoint an owner may hold so many times what is left for the endpoint, so that others find a place there. */
const OWNER_WEIGHT = 2;

/**
 * Slots with a fair share for each owner, and for each endpoint one that its owners share. An owner alone gets half of
 * all, at one endpoint or at several, and beside it there is room for another owner and for another endpoint.
 */
class Slots {
  readonly #owners: FairShare;
  readonly #endpoints = new Tally();
  readonly #ownersAtEndpoints = new Tally();

  constructor(limit: number) {
    this.#owners = new FairShare(limit);
  }

  tryTake(call: Call): boolean {
    const key = keyOf(call);
    if (this.#ownersAtEndpoints.of(key) >= OWNER_WEIGHT * this.#availableFor(call.endpoint)) return false;
    if (!this.#owners.tryTake(call.owner)) return false;
    this.#endpoints.add(call.endpoint);
    this.#ownersAtEndpoints.add(key);
    return true;
  }

  release(call: Call): void {
    this.#owners.release(call.owner);
    this.#endpoints.remove(call.endpoint);
    this.#ownersAtEndpoints.remove(keyOf(call));
  }

  isFullFor(endpoint: string): boolean {
    return this.#availableFor(endpoint) <= 0;
  }

  /** How many more the endpoint might hold: each that it takes is one free slot less. */
  #availableFor(endpoint: string): number {
    return (ENDPOINT_WEIGHT * this.#owners.free - this.#endpoints.of(endpoint)) / (ENDPOINT_WEIGHT + 1);
  }
}

function keyOf({ owner, endpoint }: Call): string {
  return `${endpoint} ${owner}`;
}

/**
 * A freed slot goes to the endpoints with waiting calls in turn, of each to its waiting owners in turn, and of those to
 * the call that waits longest. A call waits only while its owner or its endpoint may take no slot, so who comes new never
 * overtakes calls of the same owner to the same endpoint.
 */
export function createConcurrencyLimit(limits: {
  readonly running: number;
  readonly waiting: number;
}): ConcurrencyLimit {
  const running = new Slots(limits.running);
  const waiting = new Slots(limits.waiting);
  // By endpoint and owner, those first that were served longest ago.
  const queues = new Map<string, Map<string, Set<Admit>>>();

  function acquire(call: Call, cancellation: Cancellation): Promise<void> | undefined {
    if (running.tryTake(call)) return undefined;
    if (!waiting.tryTake(call)) {
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

  function enqueue({ owner, endpoint }: Call, admit: Admit): void {
    const owners = queues.get(endpoint) ?? new Map<string, Set<Admit>>();
    const queue = owners.get(owner) ?? new Set();
    queues.set(endpoint, owners.set(owner, queue.add(admit)));
  }

  function dequeue(call: Call, admit: Admit): void {
    const { owner, endpoint } = call;
    const owners = queues.get(endpoint);
    const queue = owners?.get(owner);
    if (!queue?.delete(admit)) return;
    if (queue.size === 0) owners?.delete(owner);
    if (owners?.size === 0) queues.delete(endpoint);
    waiting.release(call);
  }

  function release(call: Call): void {
    running.release(call);
    // Mostly one can go on; more where the owner or the endpoint that gave its slot back has one to take as well.
    while (queues.size > 0 && admitNext());
  }

  function admitNext(): boolean {
    for (const [endpoint, owners] of queues) {
      // Many may wait for a slow endpoint, and need not be asked one by one.
      if (running.isFullFor(endpoint)) continue;
      for (const [owner, queue] of owners) {
        const call = { owner, endpoint };
        if (!running.tryTake(call)) continue;
        const [admit] = queue;
        if (admit === undefined) return false;
        dequeue(call, admit);
        // To the end of the line, the endpoint and the owner.
        if (queues.delete(endpoint)) queues.set(endpoint, owners);
        if (owners.delete(owner)) owners.set(owner, queue);
        admit();
        return true;
      }
    }
    return false;
  }

  return { acquire, release };
}
