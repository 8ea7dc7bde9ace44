import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/index.ts';
import { AnswerSize } from '../execution/answer-size.ts';
import { overloaded } from '../http/errors.ts';
import { jittered } from '../jitter.ts';
import type { FairLimit, Reservation } from '../limits/fair-limit.ts';
import { isAddress } from '../limits/owner.ts';
import type { SlotPool } from '../limits/slots.ts';
import type { Credentials } from '../rest/call.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { type CacheUse, type RestService, RestSession, type RestSessionOptions } from '../rest/session.ts';
import { OperationLoaders } from '../schema/fields/loaders.ts';
import { type Observation, rounded } from '../telemetry/observation.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { bypassesCache } from './credentials.ts';

/** Messages of refusals, each with about how many seconds later to retry. */
const REFUSALS = {
  operations: ['Too many operations are in flight', 4],
  exports: ['Too many exports are in flight', 15],
  subscriptions: ['Too many subscriptions are open', 15],
  uploads: ['Too many requests are arriving', 4, { connection: 'close' }],
  heap_memory: ['The gateway is short of memory', 4],
} as const;

type SlotKind = 'operations' | 'exports' | 'subscriptions';

/** A file may wait longer than a person who looks at a page. */
const MAX_WAIT_MS = { operations: 15_000, exports: 60_000, subscriptions: 15_000 };

/** The share of its time that an operation may spend waiting for a slot. */
const MAX_WAIT_SHARE = 1 / 2;
type CallOptions = Pick<RestSessionOptions, 'maxCalls'> & Partial<Pick<CacheUse, 'keepsLists'>>;

/** What the operations of a gateway share. */
interface Shared extends Pick<Config, 'maxCalls' | 'maxValues' | 'requestTimeoutMs' | 'exportTimeoutMs'> {
  readonly maxResponseBytes: number;
  readonly transfers: FairLimit;
  readonly slots: { readonly [kind in SlotKind]: SlotPool };
  readonly rest: RestService;
  ownerOf(credentials: Credentials, address: string | undefined): string;
  readonly telemetry: RequestTelemetry;
}

/** What an operation uses until it ends: memory, a slot, and access to the REST service as its caller. */
export class RunningOperation {
  /** Aborted when the client leaves, or the operation takes too long. */
  readonly cancellation = new Cancellation();
  /** What it holds of the memory that all operations share: its body, REST answers and streams. */
  readonly holding: Reservation;
  /** Undefined until it has one, and for an operation of an array, which has its slots together. */
  #slot: Reservation | undefined;
  /** Counts its answer while it is written out. */
  size!: AnswerSize;
  rest!: RestSession;
  /** Whether it is a mutation that has begun: then only its timeout, or a client that leaves, ends it halfway. */
  isWriting = false;
  #hasEnded = false;
  /** Called when it ends, whatever happened. */
  readonly endings: (() => void)[] = [];

  /** `owner`: the key that shared limits count it under. */
  constructor(
    private readonly shared: Shared,
    private readonly headers: IncomingHttpHeaders,
    private readonly observed: Observation,
    readonly credentials: Credentials,
    public owner: string,
  ) {
    const onFull = () => {
      if (this.rest === undefined) throw this.#refuse('uploads');
      shared.telemetry.shed('operation_memory');
      this.cancellation.abort('no room');
      this.size.stop(this.cancellation.error());
    };
    this.holding = shared.transfers.reserve(owner, { onFull, canRefuse: () => !this.isWriting });
  }

  /** Refuses it to protect the others; `detail` says if the caller has used up its own share. */
  #refuse(reason: keyof typeof REFUSALS, detail = '.'): Error {
    this.observed.isShed = true;
    this.shared.telemetry.shed(reason);
    const [problem, seconds, headers] = REFUSALS[reason];
    // Callers that were refused together should not all retry together.
    return overloaded(problem + detail, `${Math.round(jittered(seconds, 0.5, 1.5))}`, headers);
  }

  /**
   * Acquires slots until it ends, waiting for them if necessary. A slot that it has is released first: nothing waits for
   * a slot while it has another. Throws if there is none in time.
   */
  async acquireSlots(kind: SlotKind, count = 1): Promise<void> {
    this.#slot?.release();
    const pool = this.shared.slots[kind];
    const slots = Math.max(1, Math.min(count, pool.limit));
    const maxWaitMs = Math.min(MAX_WAIT_MS[kind], this.#timeoutMs(kind) * MAX_WAIT_SHARE);
    const acquired = pool.acquire(this.owner, this.cancellation, slots, maxWaitMs);
    if (acquired !== true) {
      const since = performance.now();
      const isAcquired = await acquired;
      this.#recordWait(kind, performance.now() - since);
      if (!isAcquired)
        throw pool.isPaused
          ? this.#refuse('heap_memory')
          : this.#refuse(kind, pool.describeShare(this.owner));
    }
    this.#slot = pool.reserve(this.owner, { amount: slots });
    // The client may have left in the meantime.
    if (this.#hasEnded) this.#slot.release();
  }

  #recordWait(kind: SlotKind, milliseconds: number): void {
    const { line } = this.observed;
    line.waitedMs = rounded((line.waitedMs ?? 0) + milliseconds);
    this.shared.telemetry.waited(kind, milliseconds);
  }

  #timeoutMs(kind: SlotKind): number {
    return kind === 'exports' ? this.shared.exportTimeoutMs : this.shared.requestTimeoutMs;
  }

  /** Counts it for its credential, in place of its address, as soon as the REST service has accepted that. */
  #countForCredential(): void {
    if (!isAddress(this.owner)) return;
    const key = this.shared.ownerOf(this.credentials, undefined);
    if (isAddress(key)) return;
    this.owner = key;
    this.#slot?.moveTo(key);
    this.holding.moveTo(key);
  }

  /** Starts its deadline, which includes the time that it waits for a slot. */
  startDeadline(kind: SlotKind): void {
    const setting = kind === 'exports' ? 'EXPORT_TIMEOUT_MS' : 'REQUEST_TIMEOUT_MS';
    this.cancellation.abortAfter(this.#timeoutMs(kind), setting);
  }

  /** Gives it access to the REST service, with limits of memory. Those of an array share an answer. */
  start(operations = 1): void {
    const { maxCalls, maxValues, maxResponseBytes } = this.shared;
    const maxBytes = Math.floor(maxResponseBytes / operations);
    this.size = new AnswerSize({ maxValues, maxBytes }, () => {
      if (!this.isWriting) this.cancellation.abort('closed');
    });
    this.rest = this.#createRest(this.holding.add, { maxCalls });
  }

  /** A part of it, which holds memory and makes calls of its own until it ends. */
  startPart(ofCalls: CallOptions) {
    let held = 0;
    const hold = (added: number) => {
      held += added;
      this.holding.add(added);
    };
    const rest = this.#createRest(hold, ofCalls);
    const end = () => {
      hold(-held);
      this.observed.addCalls(rest.calls, rest.waitedMs());
    };
    return { rest, loaders: new OperationLoaders(rest), end };
  }

  #createRest(hold: Reservation['add'], { maxCalls, keepsLists = true }: CallOptions): RestSession {
    const { credentials, owner, headers, observed, cancellation } = this;
    const reads = !bypassesCache(headers['cache-control']);
    // By its members: to spread several objects takes ten times as long.
    return new RestSession(this.shared.rest, {
      credentials,
      owner,
      maxCalls,
      // A caller that asks for fresh data gets none that was requested before.
      cache: { reads, keepsLists, joinsSince: reads ? 0 : performance.now() },
      cancellation,
      hold,
      onAccepted: () => this.#countForCredential(),
      tracer: observed.trace,
    });
  }

  /** Aborts what is still under way, and gives back what it has taken. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.rest) this.observed.addCalls(this.rest.calls, this.rest.waitedMs());
    this.cancellation.abort('closed');
    for (const ending of this.endings) ending();
    this.#slot?.release();
    this.holding.release();
  }
}
