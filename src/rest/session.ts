import type { CredentialCache, RestCache } from './cache/rest-cache.ts';
import {
  type Call,
  type CallRecord,
  type CallTracer,
  type Credentials,
  getCredentialCache,
  millisecondsSince,
} from './call.ts';
import type { CallLimit } from './call-limit.ts';
import { Cancellation } from './cancellation.ts';
import type { RestResponse } from './client/attempt.ts';
import type { RestClient } from './client/client.ts';
import { CallBudgetExceeded, RestError, TOO_MANY_LOADS } from './errors.ts';
import type { ParameterNames } from './resource.ts';

/** Sends a refresh token. `onSend` is called when the request goes out; without that, the token was not used. */
export type SendToken = (onSend?: () => void) => Promise<RestResponse>;

/** Lets processes that share a REST service send each refresh token once: the service accepts it only once. */
export interface RefreshCoordinator {
  /** The response to the token, which this process has sent by `send`, or another one. */
  refresh(authorization: string, refreshToken: string, send: SendToken): Promise<RestResponse>;
}

/** What all sessions with a REST service share. */
export interface RestService {
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly parameterNames: ParameterNames;
  /** If there are several processes that refresh tokens. */
  readonly refreshes?: RefreshCoordinator | undefined;
  readonly callLimit?: CallLimit | undefined;
}

/** How an operation uses the cache. */
export interface CacheUse {
  /** Whether its reads may be answered from the cache. */
  readonly reads: boolean;
  /** Whether pages of lists are cached; not if there may be any number of them, which would drive out all others. */
  readonly cacheLists: boolean;
  /** By `performance.now()`: calls that were sent earlier are not joined. */
  readonly joinsSince: number;
}

const FULL_USE: CacheUse = { reads: true, cacheLists: true, joinsSince: 0 };

export interface RestSessionOptions {
  readonly credentials: Credentials;
  /** The key that calls count under at first. It contains no credential. */
  readonly limitKey: string;
  readonly maxCalls?: number | undefined;
  readonly cache?: CacheUse | undefined;
  readonly cancellation?: Cancellation | undefined;
  /** Adds to the bytes that the operation holds until it completes, within the budget of all operations in progress. */
  readonly retainBytes?: ((bytes: number) => void) | undefined;
  /** Called after each call whose credential the service has accepted. */
  readonly onAccepted?: (() => void) | undefined;
  readonly tracer?: CallTracer | undefined;
  /** Whether calls are recorded in place of being sent. */
  readonly isDryRun?: boolean | undefined;
}

/** How many lists and lookups an operation may ask for: they are put together in one turn of the event loop. */
const MAX_LOADS = 3_000;
/** How many rows an operation may have ordered, under all its aliases: a sort takes one turn of the event loop. */
const MAX_SORTED = 40_000;
const TOO_MANY_SORTED = `The operation orders more than ${MAX_SORTED} rows. Narrow its lists by \`where\` or by their filters, or order fewer of them.`;

/** Access to the REST service for one operation of one caller; what it has asked for, and how much more it may ask for. */
export class RestSession {
  readonly calls: CallRecord[] = [];
  readonly maxCalls: number;
  /** The key that calls count under from now on. */
  limitKey: string;
  /** Calls that must be left of `maxCalls`: while a field of a mutation runs, those of the fields after it. */
  reservedCalls = 0;
  #sent = 0;
  #loads = 0;
  #sorted = 0;
  readonly cancellation: Cancellation;
  readonly retainBytes: (bytes: number) => void;
  readonly cache: CacheUse;

  constructor(
    readonly service: RestService,
    readonly options: RestSessionOptions,
  ) {
    this.maxCalls = options.maxCalls ?? Number.POSITIVE_INFINITY;
    this.limitKey = options.limitKey;
    this.cancellation = options.cancellation ?? new Cancellation();
    this.retainBytes = options.retainBytes ?? (() => {});
    this.cache = options.cache ?? FULL_USE;
  }

  credentialCache(kind: Call['credential']): CredentialCache {
    return getCredentialCache(this.service.cache, this.options.credentials, kind);
  }

  /** Takes an attempt of a call from those that the credential may make, if these are limited. */
  takeOfCredential({ credential }: Call, cache: CredentialCache): void {
    const { callLimit } = this.service;
    if (callLimit === undefined) return;
    // A call by the gateway's own application counts for the caller whose token it asks about.
    const { basic, bearer } = this.options.credentials;
    const isOwn = credential === 'introspection' && basic === undefined && bearer !== undefined;
    const { hash } = isOwn ? this.credentialCache('bearer') : cache;
    if (callLimit.take(hash)) return;
    const { limit, resetSeconds: retryAfter } = callLimit.getQuota(hash);
    const message = `This credential has made the ${limit} REST calls that it may make in a minute. Try again later.`;
    throw new RestError('RATE_LIMITED', message, { retryAfter });
  }

  /** Counts a call that is to be made. Returns false if the operation has none left. */
  tryTakeCall(): boolean {
    if (this.#sent + this.reservedCalls >= this.maxCalls) return false;
    this.#sent += 1;
    return true;
  }

  /** Counts a call that is to be made. Throws if the operation has none left. */
  takeCall(): void {
    if (this.tryTakeCall()) return;
    const reserved = this.reservedCalls > 0 ? ', and the others are kept for the fields after this one' : '';
    const used = `${this.#sent} of the ${this.maxCalls} REST calls that an operation may make are used`;
    throw new CallBudgetExceeded(used + reserved);
  }

  record(call: CallRecord['call'], source: CallRecord['source'], rows: number | null = null): CallRecord {
    const startedAt = performance.now();
    const record = { call, source, startedAt, status: null, milliseconds: null, bytes: null, rows };
    this.calls.push(record);
    return record;
  }

  /** Waits for a call that another operation has sent. */
  awaitCoalesced<T>(call: CallRecord['call'], response: Promise<T>): Promise<T> {
    const record = this.record(call, 'coalesced');
    return response.finally(() => {
      record.milliseconds = millisecondsSince(record.startedAt);
    });
  }

  /** The milliseconds in which the operation waited for one call or more; they are recorded in the order of their starts. */
  waitedMs(now = performance.now()): number {
    let [total, reached] = [0, 0];
    for (const { source, startedAt, milliseconds } of this.calls) {
      const end = source === 'cache' ? startedAt : milliseconds === null ? now : startedAt + milliseconds;
      total += Math.max(0, end - Math.max(startedAt, reached));
      reached = Math.max(reached, end);
    }
    return total;
  }

  /** Counts lists or lookups that are asked for: how many administrations a token reaches is not known before. */
  countLoad(loads = 1): void {
    this.#loads += loads;
    if (this.#loads > MAX_LOADS) throw TOO_MANY_LOADS;
  }

  countSorted(rows: number): void {
    this.#sorted += rows;
    if (this.#sorted > MAX_SORTED) throw new RestError('OPERATION_TOO_EXPENSIVE', TOO_MANY_SORTED);
  }
}
