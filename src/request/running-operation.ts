import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/index.ts';
import { AnswerSize } from '../execution/answer-size.ts';
import { overloaded } from '../http/errors.ts';
import type { Holding, Places, SharedLimit } from '../limits/places.ts';
import type { Credentials } from '../rest/call.ts';
import { Cancellation } from '../rest/cancellation.ts';
import { type RestService, RestSession, type RestSessionOptions } from '../rest/session.ts';
import { OperationLoaders } from '../schema/fields/loaders.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { RequestTelemetry } from '../telemetry/telemetry.ts';
import { bypassesCache } from './credentials.ts';

/** Messages of refusals, each with its Retry-After in seconds. */
const FULL = {
  operations: ['Too many operations are under way', '1'],
  exports: ['Too many exports are under way', '10'],
  subscriptions: ['Too many subscriptions are open', '10'],
  uploads: ['Too many requests are arriving', '1', { connection: 'close' }],
} as const;

type PlaceKind = Exclude<keyof typeof FULL, 'uploads'>;
type CallOptions = Pick<RestSessionOptions, 'maxCalls' | 'storesLists'>;

/** What the operations of a gateway share. */
interface Shared extends Pick<Config, 'maxCalls' | 'maxValues' | 'requestTimeoutMs' | 'exportTimeoutMs'> {
  readonly maxResponseBytes: number;
  readonly transfers: SharedLimit;
  readonly places: { readonly [kind in PlaceKind]: Places };
  readonly rest: RestService;
  readonly telemetry: RequestTelemetry;
}

/** What an operation has taken, until it ends: memory, a place, and access to the REST service as its caller. */
export class RunningOperation {
  /** Aborted when the client leaves, or the operation takes too long. */
  readonly cancellation = new Cancellation();
  /** What it holds of the memory that all operations share: its body, REST answers and streams. */
  readonly holding: Holding;
  /** Makes room for another operation: what has become a stream is counted with the streams. */
  releasePlace!: () => void;
  /** Counts its answer while it is written out. */
  size!: AnswerSize;
  rest!: RestSession;
  /** Whether it is a mutation that has begun: then only its timeout, or a client that leaves, ends it halfway. */
  isWriting = false;
  #hasEnded = false;
  /** Called when it ends, whatever happened. */
  readonly endings: (() => void)[] = [];

  /** `owner`: the key that shared limits count it under, the hash of its credential or its address. */
  constructor(
    private readonly shared: Shared,
    private readonly headers: IncomingHttpHeaders,
    private readonly observed: Observation,
    readonly credentials: Credentials,
    readonly owner: string,
  ) {
    const onFull = () => {
      if (this.rest === undefined) this.#shed('uploads');
      shared.telemetry.shed('operation_memory');
      this.cancellation.abort('no room');
      this.size.stop(this.cancellation.error());
    };
    this.holding = shared.transfers.hold(owner, onFull, () => !this.isWriting);
  }

  /** Refuses it to protect the others; `detail` says of a caller that it has used up its own share. */
  #shed(reason: keyof typeof FULL, detail = '.'): never {
    this.observed.isShed = true;
    this.shared.telemetry.shed(reason);
    const [what, retryAfter, headers] = FULL[reason];
    throw overloaded(what + detail, retryAfter, headers);
  }

  /** Takes a place until it ends, or until the function is called that is returned. Throws if there is none. */
  takePlace(kind: PlaceKind): () => void {
    const places = this.shared.places[kind];
    const release = places.admit(this.owner) ?? this.#shed(kind, places.refusal(this.owner));
    this.endings.push(release);
    return release;
  }

  /** Gives it access to the REST service, with limits of time and memory. Those of an array share an answer. */
  start(isExport: boolean, operations = 1): void {
    const { maxCalls, maxValues, maxResponseBytes, exportTimeoutMs, requestTimeoutMs } = this.shared;
    if (isExport) this.cancellation.abortAfter(exportTimeoutMs, 'EXPORT_TIMEOUT_MS');
    else this.cancellation.abortAfter(requestTimeoutMs, 'REQUEST_TIMEOUT_MS');
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

  #createRest(hold: Holding['add'], { maxCalls, storesLists }: CallOptions): RestSession {
    const { credentials, owner, headers, observed, cancellation } = this;
    // By its members: to spread several objects takes ten times as long.
    return new RestSession(this.shared.rest, {
      credentials,
      owner,
      maxCalls,
      bypassCache: bypassesCache(headers['cache-control']),
      storesLists,
      cancellation,
      hold,
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
    this.holding.release();
  }
}
