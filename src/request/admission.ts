import { overloaded } from '../http/errors.ts';
import { jittered } from '../jitter.ts';
import { Reservation } from '../limits/fair-limit.ts';
import { isAddressKey } from '../limits/limit-key.ts';
import type { Credentials } from '../rest/call.ts';
import { roundToTenths } from '../telemetry/observation.ts';
import type { Host } from './host.ts';
import type { GatewayState } from './state.ts';

/** Messages of rejections, each with the seconds until a retry, on average. */
const REJECTIONS = {
  operations: ['Too many operations are in flight', 4],
  exports: ['Too many exports are in flight', 15],
  subscriptions: ['Too many subscriptions are open', 15],
  uploads: ['Too many requests are arriving', 4],
  heap_memory: ['The gateway is short of memory', 4],
} as const;

type SlotKind = 'operations' | 'exports' | 'subscriptions';

/** Scripts that export can wait longer than a person who looks at a page. */
const MAX_WAIT_MS = { operations: 15_000, exports: 60_000, subscriptions: 15_000 };

/** Acquires slots and memory of the limits that callers share, and releases them when the request ends. */
export class Admission {
  /** The key of the caller in shared limits. */
  limitKey: string;
  readonly #reservations: Reservation[] = [];
  #slots: Reservation | undefined;
  #isReleased = false;

  constructor(
    readonly state: GatewayState,
    readonly credentials: Credentials,
    readonly host: Host,
  ) {
    this.limitKey = state.getLimitKey(credentials, host.address);
  }

  /** Starts the timeout, which includes the wait, and acquires slots for the operations. */
  admit(kind: 'operations' | 'exports', count = 1): Promise<void> {
    const setting = kind === 'exports' ? 'EXPORT_TIMEOUT_MS' : 'REQUEST_TIMEOUT_MS';
    this.host.cancellation.abortAfter(this.#timeoutMs(kind), setting);
    return this.acquireSlots(kind, count);
  }

  /**
   * Waits for slots, or throws if too few become free in time. First releases the slots that the request has, so that
   * no request waits while it holds a slot.
   */
  async acquireSlots(kind: SlotKind, count = 1): Promise<void> {
    this.#slots?.release();
    const { logEntry } = this.host.observation;
    const { telemetry, slots: pools } = this.state;
    const pool = pools[kind];
    const slots = Math.max(1, Math.min(count, pool.limit));
    // Half of the timeout is left for running the operation.
    const maxWaitMs = Math.min(MAX_WAIT_MS[kind], this.#timeoutMs(kind) / 2);
    const { limitKey } = this;
    const acquired = pool.acquire(limitKey, this.host.cancellation, slots, maxWaitMs);
    if (acquired !== true) {
      const since = performance.now();
      const isAcquired = await acquired;
      const waitedMs = performance.now() - since;
      logEntry.waitedMs = roundToTenths((logEntry.waitedMs ?? 0) + waitedMs);
      telemetry.onWaited(kind, waitedMs);
      if (!isAcquired)
        throw pool.isPaused
          ? this.createRejection('heap_memory')
          : this.createRejection(kind, pool.describeShare(limitKey));
    }
    this.#slots = this.#keep(new Reservation(pool, limitKey, slots));
  }

  /** Whether the request has had slots: without any, it has made no calls. */
  get isAdmitted(): boolean {
    return this.#slots !== undefined;
  }

  /** Creates a reservation of memory, empty at first, which ends with the request. */
  reserveMemory(onFull: () => void, canReject?: () => boolean): Reservation {
    return this.#keep(new Reservation(this.state.memoryBudget, this.limitKey, 0, onFull, canReject));
  }

  /** Returns the error for a request that is rejected to protect others; `detail` describes the share of the caller. */
  createRejection(reason: keyof typeof REJECTIONS, detail = '.'): Error {
    this.host.observation.isRejected = true;
    this.state.telemetry.onRejected(reason);
    const [problem, seconds] = REJECTIONS[reason];
    // Callers that were rejected together should not retry together.
    return overloaded(problem + detail, `${Math.round(jittered(seconds, 0.5, 1.5))}`);
  }

  /** Counts the request for its credential, once the REST service has accepted that, and not for its address. */
  switchToCredentialKey(): void {
    if (!isAddressKey(this.limitKey)) return;
    const key = this.state.getLimitKey(this.credentials, undefined);
    if (isAddressKey(key)) return;
    this.limitKey = key;
    for (const reservation of this.#reservations) reservation.moveTo(key);
  }

  release(): void {
    this.#isReleased = true;
    for (const reservation of this.#reservations) reservation.release();
  }

  #keep(reservation: Reservation): Reservation {
    this.#reservations.push(reservation);
    // The client may have disconnected during the wait.
    if (this.#isReleased) reservation.release();
    return reservation;
  }

  #timeoutMs(kind: SlotKind): number {
    return kind === 'exports' ? this.state.exportTimeoutMs : this.state.requestTimeoutMs;
  }
}
