import type { CallLimit } from '../limits/call-limit.ts';
import { Attempts, BusyTime } from './attempts.ts';
import { authorizationFor, type Credentials, type CredentialUse } from './authorization.ts';
import type { CredentialCache, Generation, RestCache } from './cache/rest-cache.ts';
import type { CallFault } from './call-fault.ts';
import { type CallRecord, type CallTracer, elapsed } from './call-record.ts';
import { Cancellation } from './cancellation.ts';
import type { RestRequest, RestResponse } from './client/attempt.ts';
import type { RestClient } from './client/client.ts';
import { noCallsLeft, RestError, TOO_MANY_LOADS, tooManyCalls, tooManySorted } from './errors.ts';
import type { RefreshCoordinator } from './refresh-coordinator.ts';
import type { ParameterNames } from './resource.ts';
import { requireUrl } from './url.ts';

export type { Credentials } from './authorization.ts';

/** A REST call of a session: the request, the credential, and the parameters that may be shown. */
export interface Call extends RestRequest {
  readonly credential: CredentialUse;
  readonly parameters: { readonly [name: string]: unknown };
}

export interface RestSessionOptions {
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly credentials: Credentials;
  /** The owner that the calls count for; contains no credential. */
  readonly owner: string;
  readonly parameterNames: ParameterNames;
  /** If there are several processes that refresh tokens. */
  readonly refreshes?: RefreshCoordinator | undefined;
  /** Of each credential; by default there is none. */
  readonly callLimit?: CallLimit | undefined;
  readonly maxCalls?: number | undefined;
  /** Whether to bypass the cache for reads; responses are cached nevertheless. */
  readonly bypassCache?: boolean | undefined;
  /** Whether pages of lists are cached; not if there may be any number of them, which would drive out all others. */
  readonly storesLists?: boolean | undefined;
  /** Whether calls are remembered; not if there may be any number of them, and nobody asks. */
  readonly keepsCalls?: boolean | undefined;
  readonly cancellation?: Cancellation | undefined;
  /** Adds to the bytes that the operation holds until it completes, within the budget of all operations in progress. */
  readonly hold?: ((bytes: number) => void) | undefined;
  readonly tracer?: CallTracer | undefined;
}

/** How many lists and lookups an operation may ask for: they are put together in one turn of the event loop. */
const MAX_LOADS = 3_000;

/** How many rows an operation may have ordered, under all its aliases: a sort takes one turn of the event loop. */
const MAX_SORTED = 50_000;

/** Access to the REST service for one operation of one caller. */
export class RestSession {
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly credentials: Credentials;
  readonly owner: string;
  readonly parameterNames: ParameterNames;
  readonly refreshes: RefreshCoordinator | undefined;
  readonly bypassCache: boolean;
  readonly storesLists: boolean;
  readonly cancellation: Cancellation;
  readonly hold: (bytes: number) => void;
  readonly tracer: CallTracer | undefined;
  /** When the operation waits for the REST service. */
  readonly busy = new BusyTime();
  /** By `performance.now()`: a read that bypasses the cache joins no call that was sent earlier. */
  readonly startedAt = performance.now();
  readonly calls: CallRecord[] = [];
  readonly #options: RestSessionOptions;
  readonly maxCalls: number;
  #sent = 0;
  #loads = 0;
  #sorted = 0;
  /** Calls that must be left of `maxCalls`: while a field of a mutation runs, those of the fields after it. */
  reservedCalls = 0;

  constructor(options: RestSessionOptions) {
    this.client = options.client;
    this.cache = options.cache;
    this.credentials = options.credentials;
    this.owner = options.owner;
    this.parameterNames = options.parameterNames;
    this.refreshes = options.refreshes;
    this.bypassCache = options.bypassCache ?? false;
    this.storesLists = options.storesLists ?? true;
    this.cancellation = options.cancellation ?? new Cancellation();
    this.hold = options.hold ?? (() => {});
    this.tracer = options.tracer;
    this.#options = options;
    this.maxCalls = options.maxCalls ?? Number.POSITIVE_INFINITY;
  }

  credentialCache(kind: CredentialUse): CredentialCache {
    return this.cache.credential(authorizationFor(this.credentials, kind));
  }

  generation(kind: CredentialUse): Generation {
    return this.credentialCache(kind).generation();
  }

  get readsCache(): boolean {
    return this.cache.isEnabled && !this.bypassCache;
  }

  /** Sends a call, until it is aborted, reads its response, and records the outcome. `onSend`: the request goes out. */
  async receive<T extends object>(
    call: Call,
    read: (response: RestResponse) => T,
    cancellation: Cancellation = this.cancellation,
    onSend?: () => void,
  ): Promise<T> {
    const authorization = authorizationFor(this.credentials, call.credential);
    const { path, query } = call;
    requireUrl(this.client.baseLength + path.length + (query === undefined ? 0 : 1 + query.length));
    const log = new Attempts(this, call, onSend);
    let outcome: T | RestError;
    try {
      const { owner } = this;
      const admit = this.#admission(call, authorization);
      const response = await this.client.send(call, { authorization, owner, cancellation, log, admit });
      outcome = tryToRead(response, read);
      log.answered(response, faultOfOutcome(outcome));
      const cache = this.cache.credential(authorization);
      cache.accepted();
      // Pages are counted where they are used: one call may serve several operations.
      if (call.method !== 'GET') this.hold(response.bytes);
      // A write invalidates earlier reads, at other processes too before the caller knows of it.
      if (call.method === 'PATCH') await cache.invalidate();
    } catch (error) {
      log.failed(error);
      const status = error instanceof RestError ? error.upstream?.status : undefined;
      const cache = this.cache.credential(authorization);
      if (status === 401) cache.rejected();
      // A rejected credential may have been revoked, and a failed write may have taken effect: as above.
      if (status === 401 || status === 403 || call.method === 'PATCH') await cache.invalidate();
      throw error;
    }
    if (outcome instanceof RestError) throw outcome;
    return outcome;
  }

  /** Counts what is read, unless there is no room for it. */
  holdRead(bytes: number): void {
    this.hold(bytes);
    if (this.cancellation.isAborted) throw this.cancellation.error();
  }

  /** Counts a list or a lookup that is asked for: how many administrations a token reaches is not known before. */
  countLoad(): void {
    this.#loads += 1;
    if (this.#loads > MAX_LOADS) throw TOO_MANY_LOADS;
  }

  /** Counts rows that the gateway orders. */
  countSorted(rows: number): void {
    this.#sorted += rows;
    if (this.#sorted > MAX_SORTED) throw tooManySorted(MAX_SORTED);
  }

  /** What each attempt of a call has to pass, if calls are limited. */
  #admission({ credential }: Call, authorization: string): (() => Promise<void> | undefined) | undefined {
    const { callLimit } = this.#options;
    if (callLimit === undefined) return undefined;
    // A call by the gateway's own application counts for the caller whose token it asks about.
    const { basic, bearer } = this.credentials;
    const counted = credential === 'introspection' ? (basic ?? bearer ?? authorization) : authorization;
    const { hash } = this.cache.credential(counted);
    const require = (isTaken: boolean) => {
      if (!isTaken) throw tooManyCalls(callLimit.standing(hash));
    };
    return () => {
      const taken = callLimit.take(hash);
      return taken instanceof Promise ? taken.then(require) : void require(taken);
    };
  }

  /** Waits for a call that another operation has sent, and records it as coalesced. */
  async awaitCoalesced<T>(call: CallRecord['call'], response: Promise<T>): Promise<T> {
    const record = this.recordCoalesced(call);
    const start = performance.now();
    this.busy.start(start);
    try {
      return await response;
    } finally {
      record.milliseconds = elapsed(start);
      this.busy.end(performance.now());
    }
  }

  recordCoalesced(call: CallRecord['call']): CallRecord {
    return this.#record(call, 'coalesced');
  }

  recordCacheHit(call: CallRecord['call'], rows: number | null): void {
    this.#record(call, 'cache', rows);
  }

  get hasCallsLeft(): boolean {
    return this.#sent + this.reservedCalls < this.maxCalls;
  }

  /** Throws if the operation has no calls left: also for a call that others might join before it fails. */
  requireCall(): void {
    if (!this.hasCallsLeft) throw noCallsLeft(this.#sent, this.maxCalls, this.reservedCalls > 0);
  }

  startCall(call: CallRecord['call']): CallRecord {
    this.requireCall();
    return this.#record(call, 'network');
  }

  /** Removes the record of a call that was not sent after all. */
  withdrawCall(record: CallRecord): void {
    const index = this.calls.lastIndexOf(record);
    if (index < 0) return;
    this.calls.splice(index, 1);
    this.#sent -= 1;
  }

  #record(call: CallRecord['call'], source: CallRecord['source'], rows: number | null = null): CallRecord {
    const record = { call, source, status: null, milliseconds: null, bytes: null, rows };
    if (source === 'network') this.#sent += 1;
    if (this.#options.keepsCalls !== false) this.calls.push(record);
    return record;
  }
}

function tryToRead<T>(response: RestResponse, read: (response: RestResponse) => T): T | RestError {
  try {
    return read(response);
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}

function faultOfOutcome(outcome: object): CallFault | undefined {
  if (outcome instanceof RestError) return outcome.fault;
  return 'isBroken' in outcome ? 'unexpected_body' : undefined;
}
