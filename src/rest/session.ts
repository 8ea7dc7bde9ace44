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
import { CallBudgetExceeded, RestError, TOO_MANY_READS } from './errors.ts';
import type { ParameterNames } from './resource.ts';

/** Sends a refresh token. The token was not used unless `onSend` was called. */
export type SendToken = (onSend?: () => void) => Promise<RestResponse>;

/** Lets processes send each refresh token once, since the service accepts it once. */
export interface RefreshCoordinator {
  /** Returns the response, which this process gets by `send`, or another process got. */
  refresh(authorization: string, refreshToken: string, send: SendToken): Promise<RestResponse>;
}

export interface RestService {
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly parameterNames: ParameterNames;
  readonly refreshes?: RefreshCoordinator | undefined;
  readonly callLimit?: CallLimit | undefined;
}

export interface CacheUse {
  readonly reads: boolean;
  /** Whether pages of lists are cached. An unlimited number of pages would evict all others. */
  readonly cacheLists: boolean;
  /** Calls that were sent before this, by `performance.now()`, are not joined. */
  readonly joinsSince: number;
}

const FULL_USE: CacheUse = { reads: true, cacheLists: true, joinsSince: 0 };

export interface RestSessionOptions {
  readonly credentials: Credentials;
  /** The first key for limits. It contains no credential. */
  readonly limitKey: string;
  readonly maxCalls?: number | undefined;
  readonly cache?: CacheUse | undefined;
  readonly cancellation?: Cancellation | undefined;
  readonly retainBytes?: ((bytes: number) => void) | undefined;
  readonly onAccepted?: (() => void) | undefined;
  readonly tracer?: CallTracer | undefined;
  /** Whether calls are recorded in place of being sent. */
  readonly isDryRun?: boolean | undefined;
}

/** The limit on lists and lookups of an operation, which are planned in one turn of the event loop. */
const MAX_READS = 3_000;
/** The limit on rows that an operation sorts, under all its aliases: a sort takes one turn of the event loop. */
const MAX_SORTED = 40_000;
const TOO_MANY_SORTED = `The operation sorts more than ${MAX_SORTED} records. Filter its lists, or sort fewer of them.`;

/** One operation's access to the REST service: its calls so far, and its limits. */
export class RestSession {
  readonly calls: CallRecord[] = [];
  readonly maxCalls: number;
  limitKey: string;
  /** Calls that the later fields of a mutation need, while one of its fields runs. */
  reservedCalls = 0;
  #sent = 0;
  #reads = 0;
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

  getCredentialCache(kind: Call['credential']): CredentialCache {
    return getCredentialCache(this.service.cache, this.options.credentials, kind);
  }

  /** Counts an attempt against the credential's calls per minute. */
  countAttempt({ credential }: Call, cache: CredentialCache): void {
    const { callLimit } = this.service;
    if (callLimit === undefined) return;
    // A call by the gateway's own application counts for the caller whose token it asks about.
    const { basic, bearer } = this.options.credentials;
    const isOwn = credential === 'introspection' && basic === undefined && bearer !== undefined;
    const { hash } = isOwn ? this.getCredentialCache('bearer') : cache;
    if (callLimit.take(hash)) return;
    const { limit, resetSeconds: retryAfter } = callLimit.getQuota(hash);
    const message = `This credential has used its ${limit} REST calls per minute. Retry later.`;
    throw new RestError('RATE_LIMITED', message, { retryAfter });
  }

  tryCountCall(): boolean {
    if (this.#sent + this.reservedCalls >= this.maxCalls) return false;
    this.#sent += 1;
    return true;
  }

  countCall(): void {
    if (this.tryCountCall()) return;
    const reserved = this.reservedCalls > 0 ? ', and the rest are reserved for later fields' : '';
    const used = `${this.#sent} of the ${this.maxCalls} REST calls that an operation may make are used`;
    throw new CallBudgetExceeded(used + reserved);
  }

  addCall(call: CallRecord['call'], source: CallRecord['source'], rows: number | null = null): CallRecord {
    const startedAt = performance.now();
    const record = { call, source, startedAt, status: null, milliseconds: null, bytes: null, rows };
    this.calls.push(record);
    return record;
  }

  awaitCoalesced<T>(call: CallRecord['call'], response: Promise<T>): Promise<T> {
    const record = this.addCall(call, 'coalesced');
    return response.finally(() => {
      record.milliseconds = millisecondsSince(record.startedAt);
    });
  }

  /** Returns how long at least one call was pending. Calls are in the order of their starts. */
  waitedMs(now = performance.now()): number {
    let [total, reached] = [0, 0];
    for (const { source, startedAt, milliseconds } of this.calls) {
      const end = source === 'cache' ? startedAt : milliseconds === null ? now : startedAt + milliseconds;
      total += Math.max(0, end - Math.max(startedAt, reached));
      reached = Math.max(reached, end);
    }
    return total;
  }

  /** Throws after too many lists or lookups: nobody knows in advance how many administrations a token reaches. */
  countReads(count = 1): void {
    this.#reads += count;
    if (this.#reads > MAX_READS) throw TOO_MANY_READS;
  }

  countSorted(rows: number): void {
    this.#sorted += rows;
    if (this.#sorted > MAX_SORTED) throw new RestError('OPERATION_TOO_EXPENSIVE', TOO_MANY_SORTED);
  }
}
