import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { OpenChanges } from '../changes/change.ts';
import type { Config } from '../config/index.ts';
import { ResultSize } from '../execution/result-size.ts';
import type { ExportPlan } from '../export/export-plan.ts';
import type { ExportRequest } from '../export/export-request.ts';
import { overloaded } from '../http/errors.ts';
import { readAccept, type StreamType } from '../http/negotiation.ts';
import { jittered } from '../jitter.ts';
import type { FairLimit, Reservation } from '../limits/fair-limit.ts';
import { isAddressKey } from '../limits/limit-key.ts';
import type { SlotPool } from '../limits/slots.ts';
import type { Collation } from '../lists/text.ts';
import type { Credentials } from '../rest/call.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { type CacheUse, type RestService, RestSession, type RestSessionOptions } from '../rest/session.ts';
import type { Reads } from '../schema/fields/context.ts';
import { OperationLoaders } from '../schema/fields/loaders.ts';
import type { Log } from '../telemetry/log.ts';
import { type Observation, rounded } from '../telemetry/observation.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { bypassesCache, credentialsOf } from './credentials.ts';

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

/** What the requests of a gateway share. */
interface Shared
  extends Pick<Config, 'maxCalls' | 'maxFirst' | 'maxValues' | 'requestTimeoutMs' | 'exportTimeoutMs'> {
  readonly log: Log;
  readonly collation: Collation;
  readonly maxResponseBytes: number;
  readonly memoryBudget: FairLimit;
  readonly slots: { readonly [kind in SlotKind]: SlotPool };
  readonly rest: RestService;
  readonly ownAuthorization: string | undefined;
  readonly telemetry: RequestTelemetry;
  getLimitKey(credentials: Credentials, address: string | undefined): string;
}

/** Who sent a request to the gateway's own server, and gets its response; another server hands over what it likes. */
export interface Client {
  readonly res: ServerResponse;
  readonly observed: Observation;
  /** The code for why it does not get the response, or not all of it, once that is so. */
  cutBy?: string | undefined;
  /** Called once the response has been sent, or the client has disconnected. */
  readonly onLeft: (() => void)[];
}

/** A response before it is a `Response`. */
export interface WrittenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer<ArrayBuffer> | ReadableStream | null;
  /** A stream that is compressed takes some 260 kB for as long as it lasts. */
  readonly isCompressible?: boolean;
  /** The bytes of a page, in place of a body. They are kept for all; the memory of a body counts until it has been sent. */
  readonly page?: Buffer | undefined;
}

/** One request, until its response has been made, and what it holds: memory for its body, and slots. */
export class Exchange {
  readonly credentials: Credentials;
  /** The key that shared limits count it under. */
  limitKey: string;
  /** Aborted when the client leaves, or the request takes too long. */
  readonly cancellation = new Cancellation();
  /** Those that have begun, in their order; none if the request was refused. */
  readonly operations: RunningOperation[] = [];
  readonly bodyMemory: Reservation;

  // Set while the request is read.

  /** The type of JSON that its client prefers; undefined if it takes none. */
  mediaType: string | undefined;
  /** How its client takes a stream of results, if at all: what is refused before is JSON. */
  streamType: StreamType | undefined;
  /** If the answer is to be a file of rows rather than JSON. */
  file: ExportRequest | undefined;
  /** How many operations have been sent together, as an array. */
  arrayLength: number | undefined;

  /** The latest response that the gateway has made. A plugin may send another one. */
  sent: { readonly response: Response; readonly written: WrittenResponse } | undefined;
  /** The body of a response that is made while it is sent. Its end is the end of the exchange. */
  stream: ReadableStream | undefined;
  #slot: Reservation | undefined;
  #stopListening = () => {};
  #hasEnded = false;

  constructor(
    readonly shared: Shared,
    readonly headers: IncomingHttpHeaders,
    /** As it was sent, not normalised. */
    readonly path: string,
    /** The address of the client, behind the proxies that are trusted. */
    readonly address: string | undefined,
    readonly observed: Observation,
    /** Known to the gateway's own server alone. */
    readonly client?: Client,
    /** Node's response, where Yoga itself sends it. */
    readonly res?: ServerResponse,
  ) {
    this.mediaType = readAccept(headers.accept).json;
    this.credentials = credentialsOf(headers, shared.ownAuthorization);
    this.limitKey = shared.getLimitKey(this.credentials, address);
    this.bodyMemory = shared.memoryBudget.reserve(this.limitKey, {
      onFull: () => {
        throw this.#refuse('uploads');
      },
    });
    client?.onLeft.push(() => this.cancellation.abort('closed'));
  }

  /** Counts it as a request for operations, which is aborted when its client leaves. */
  begin({ signal }: Pick<Request, 'signal'>): void {
    this.observed.isOperation = true;
    // The gateway's own server says so itself.
    if (this.client) return;
    const abort = () => this.cancellation.abort('closed');
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    this.#stopListening = () => signal.removeEventListener('abort', abort);
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
    const acquired = pool.acquire(this.limitKey, this.cancellation, slots, maxWaitMs);
    if (acquired !== true) {
      const since = performance.now();
      const isAcquired = await acquired;
      this.#recordWait(kind, performance.now() - since);
      if (!isAcquired)
        throw pool.isPaused
          ? this.#refuse('heap_memory')
          : this.#refuse(kind, pool.describeShare(this.limitKey));
    }
    this.#slot = pool.reserve(this.limitKey, { amount: slots });
    // The client may have left in the meantime.
    if (this.#hasEnded) this.#slot.release();
  }

  /** Whether it has had a slot; what is refused earlier makes no calls. */
  get isAdmitted(): boolean {
    return this.#slot !== undefined;
  }

  #recordWait(kind: SlotKind, milliseconds: number): void {
    const { line } = this.observed;
    line.waitedMs = rounded((line.waitedMs ?? 0) + milliseconds);
    this.shared.telemetry.waited(kind, milliseconds);
  }

  #timeoutMs(kind: SlotKind): number {
    return kind === 'exports' ? this.shared.exportTimeoutMs : this.shared.requestTimeoutMs;
  }

  /** Starts its deadline, which includes the time that it waits for a slot. */
  startDeadline(kind: SlotKind): void {
    const setting = kind === 'exports' ? 'EXPORT_TIMEOUT_MS' : 'REQUEST_TIMEOUT_MS';
    this.cancellation.abortAfter(this.#timeoutMs(kind), setting);
  }

  /** Starts its operation, or the next one of its array, with limits and a line in the log of its own. */
  startOperation(): RunningOperation {
    let { observed, cancellation } = this;
    if (this.arrayLength !== undefined) {
      observed = this.shared.telemetry.begin(this.headers, observed.line.requestId);
      observed.isOperation = true;
      cancellation = new Cancellation();
      cancellation.follow(this.cancellation);
    }
    const operation = new RunningOperation(this, observed, cancellation);
    this.operations.push(operation);
    return operation;
  }

  /** Counts it for its credential, in place of its address, as soon as the REST service has accepted that. */
  countForCredential(): void {
    if (!isAddressKey(this.limitKey)) return;
    const key = this.shared.getLimitKey(this.credentials, undefined);
    if (isAddressKey(key)) return;
    this.limitKey = key;
    this.#slot?.moveTo(key);
    this.bodyMemory.moveTo(key);
    for (const { memory, rest } of this.operations) {
      memory.moveTo(key);
      rest.limitKey = key;
    }
  }

  /** Aborts what is still under way, and gives back what it has taken. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopListening();
    for (const operation of this.operations) operation.end();
    this.cancellation.abort('closed');
    this.#slot?.release();
    this.bodyMemory.release();
  }
}

/** How an operation was run, with what its result cannot say. */
type Ran =
  /** `estimatedCalls`: the most REST calls that it makes, if somebody asked. */
  | { readonly kind: 'once'; readonly estimatedCalls: number | undefined }
  | { readonly kind: 'pages'; readonly plan: ExportPlan }
  | { readonly kind: 'events'; readonly progress: StreamProgress };

/** The cursor behind the result that was taken last, and one further on if it is known that nothing came since. */
export interface StreamProgress {
  readonly cursor: string | undefined;
  readonly position: string | undefined;
}

type PartOptions = Pick<RestSessionOptions, 'maxCalls'> & Partial<Pick<CacheUse, 'cacheLists'>>;

/** One operation of a request. It ends with its request. */
export class RunningOperation implements Reads {
  /** What it holds of the memory that all operations share: REST answers and streams. */
  readonly memory: Reservation;
  /** Counts its answer while it is written out. */
  readonly size: ResultSize;
  readonly rest: RestSession;
  readonly loaders: OperationLoaders;
  readonly maxFirst: number;
  readonly collation: Collation;
  changes: OpenChanges = refuseChanges;
  /** Whether it is a mutation that has begun: then only its timeout, or a client that leaves, ends it halfway. */
  isWriting = false;
  ran: Ran | undefined;

  constructor(
    readonly exchange: Exchange,
    readonly observed: Observation,
    /** Aborted with its request, or when this operation alone needs too much. */
    readonly cancellation: Cancellation,
  ) {
    const { limitKey, shared, arrayLength = 1 } = exchange;
    const { maxCalls, maxValues, maxResponseBytes } = shared;
    this.memory = shared.memoryBudget.reserve(limitKey, {
      onFull: () => {
        shared.telemetry.shed('operation_memory');
        cancellation.abort('no room');
        this.size.stop(cancellation.error());
      },
      canRefuse: () => !this.isWriting,
    });
    // Those of an array share an answer.
    const maxBytes = Math.floor(maxResponseBytes / arrayLength);
    this.size = new ResultSize({ maxValues, maxBytes }, () => {
      if (!this.isWriting) cancellation.abort('closed');
    });
    this.rest = this.#createRest(this.memory.add, { maxCalls });
    this.loaders = new OperationLoaders(this.rest);
    this.maxFirst = shared.maxFirst;
    this.collation = shared.collation;
  }

  /** Starts a part of it, which holds memory and makes calls of its own until it ends. */
  startPart(options: PartOptions): { readonly reads: Reads; end(): void } {
    const { maxFirst, collation, changes } = this;
    let held = 0;
    const retainBytes = (added: number) => {
      held += added;
      this.memory.add(added);
    };
    const rest = this.#createRest(retainBytes, options);
    const end = () => {
      retainBytes(-held);
      this.observed.addCalls(rest.calls, rest.waitedMs());
    };
    return { reads: { rest, loaders: new OperationLoaders(rest), maxFirst, collation, changes }, end };
  }

  #createRest(retainBytes: Reservation['add'], { maxCalls, cacheLists = true }: PartOptions): RestSession {
    const { exchange, observed, cancellation } = this;
    const { credentials, limitKey, headers, shared } = exchange;
    const reads = !bypassesCache(headers['cache-control']);
    // By its members: to spread several objects takes ten times as long.
    return new RestSession(shared.rest, {
      credentials,
      limitKey,
      maxCalls,
      // A caller that asks for fresh data gets none that was requested before.
      cache: { reads, cacheLists, joinsSince: reads ? 0 : performance.now() },
      cancellation,
      retainBytes,
      onAccepted: () => exchange.countForCredential(),
      tracer: observed.trace,
    });
  }

  end(): void {
    const { exchange, observed, rest } = this;
    observed.addCalls(rest.calls, rest.waitedMs());
    this.cancellation.abort('closed');
    this.memory.release();
    // An operation of an array has a line in the log, and no request of its own.
    if (observed !== exchange.observed)
      exchange.shared.telemetry.end(observed, undefined, observed.line.status, exchange.client?.cutBy);
  }
}

const refuseChanges: OpenChanges = () => {
  throw new Error('Only a subscription opens changes.');
};
