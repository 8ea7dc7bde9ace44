import { ADDRESS_WEIGHT, FairShare, Tally } from '../../limits/fair-share.ts';
import { TurnQueue } from '../../limits/turn-queue.ts';
import { getOrCreate } from '../../memoize.ts';
import type { Cancellation } from '../cancellation.ts';
import { RestError } from '../errors.ts';

/** Calls in flight, and calls that wait for a slot. */
export interface CallLimits {
  readonly running: number;
  readonly waiting: number;
}

interface LimitedCall {
  readonly owner: string;
  readonly endpoint: string;
  /** Where the owner was when the call was made. */
  readonly address: string;
}

interface WaitingCall {
  readonly call: LimitedCall;
  readonly admit: () => void;
}

/** An endpoint may hold this many times the free slots: three quarters of all if it is the only one. */
const ENDPOINT_WEIGHT = 3;
/** At one endpoint an owner may hold this many times the slots left for it, so that other owners find room there. */
const OWNER_WEIGHT = 2;

/**
 * Slots with a share for each owner and each endpoint. A single owner gets half, which leaves room for another of both.
 * However many owners one address has, it leaves slots at each endpoint to others.
 */
function createSlots(limit: number) {
  const owners = new FairShare(limit);
  const endpoints = new Tally();
  /** By endpoint, of which there are few. */
  const heldAt = new Map<string, { readonly owners: Tally; readonly addresses: Tally }>();

  const heldAtEndpoint = (endpoint: string) =>
    getOrCreate(heldAt, endpoint, () => ({ owners: new Tally(), addresses: new Tally() }));

  /** How many more slots the endpoint may take: each one taken also reduces the free slots by one. */
  const availableFor = (endpoint: string) =>
    (ENDPOINT_WEIGHT * owners.free - endpoints.of(endpoint)) / (ENDPOINT_WEIGHT + 1);

  return {
    held: () => owners.held,
    isFullFor: (endpoint: string) => availableFor(endpoint) <= 0,

    tryTake({ owner, endpoint, address }: LimitedCall): boolean {
      const here = heldAtEndpoint(endpoint);
      const available = availableFor(endpoint);
      if (here.owners.of(owner) >= OWNER_WEIGHT * available) return false;
      if (here.addresses.of(address) >= ADDRESS_WEIGHT * available) return false;
      if (!owners.tryTake(owner)) return false;
      endpoints.add(endpoint);
      here.owners.add(owner);
      here.addresses.add(address);
      return true;
    },

    release({ owner, endpoint, address }: LimitedCall): void {
      const here = heldAtEndpoint(endpoint);
      owners.release(owner);
      endpoints.remove(endpoint);
      here.owners.remove(owner);
      here.addresses.remove(address);
    },
  };
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/**
 * Limits the calls in flight and the calls queued, with a fair share of both for each owner and each endpoint: neither
 * a greedy caller nor a slow endpoint can use up either. A freed slot goes round-robin to the endpoints with queued
 * calls, within an endpoint to the addresses, within an address to its owners, and within an owner to the oldest call.
 * A call is queued only while its owner or endpoint may take no slot, so a new call never overtakes queued calls of the
 * same owner to the same endpoint.
 */
export function createConcurrencyLimit(limits: CallLimits, onReject = () => {}) {
  const running = createSlots(limits.running);
  const waiting = createSlots(limits.waiting);
  const queue = new TurnQueue<WaitingCall>();

  function admitNext(): boolean {
    // Skips all queued calls of a saturated endpoint at once.
    const next = queue.take(
      ({ call }) => running.tryTake(call),
      (endpoint) => running.isFullFor(endpoint),
    );
    if (next === undefined) return false;
    waiting.release(next.call);
    next.admit();
    return true;
  }

  return {
    running: running.held,
    queued: waiting.held,

    /** Takes a slot, or returns a promise for one. Throws if the owner's or endpoint's share of the queue is used up. */
    acquire(call: LimitedCall, cancellation: Cancellation): Promise<void> | undefined {
      if (running.tryTake(call)) return undefined;
      if (!waiting.tryTake(call)) {
        onReject();
        const message = 'Too many REST calls are waiting. Try again in a moment.';
        throw new RestError('OVERLOADED', message, { retryAfter: 1 });
      }
      return new Promise((resolve, reject) => {
        const admit = () => {
          cancellation.offAbort(onAbort);
          resolve();
        };
        const entry = { call, admit };
        const path = [call.endpoint, call.address, call.owner];
        const onAbort = () => {
          if (queue.remove(path, entry)) waiting.release(call);
          reject(cancellation.error());
        };
        queue.add(path, entry);
        cancellation.onAbort(onAbort);
      });
    },

    release(call: LimitedCall): void {
      running.release(call);
      // Usually one call is admitted; more if the released slot also raises the share of another owner or endpoint.
      while (admitNext());
    },
  };
}
