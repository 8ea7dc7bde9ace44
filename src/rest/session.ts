import type { CallLimit } from '../limits/call-limit.ts';
import { authorizationFor, type Credentials, type CredentialUse } from './authorization.ts';
import type { CredentialCache, Generation, RestCache } from './cache/rest-cache.ts';
import type { CallFault } from './call-fault.ts';
import { type CallRecord, type CallSpan, type CallTracer, OperationCalls } from './call-record.ts';
import { Cancellation } from './cancellation.ts';
import type { RestRequest, RestResponse, Sender } from './client/attempt.ts';
import type { RestClient } from './client/client.ts';
import { RestError } from './errors.ts';
import { isObject } from './json.ts';
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

/** Access to the REST service for one operation of one caller. */
export class RestSession extends OperationCalls {
  readonly options: RestSessionOptions;
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly credentials: Credentials;
  readonly parameterNames: ParameterNames;
  readonly cancellation: Cancellation;
  /** By `performance.now()`: calls that were sent earlier are not joined, if the cache is bypassed. */
  readonly joinsSince: number | undefined;

  constructor(options: RestSessionOptions) {
    super(options.maxCalls ?? Number.POSITIVE_INFINITY, options.keepsCalls ?? true);
    this.options = options;
    this.client = options.client;
    this.cache = options.cache;
    this.credentials = options.credentials;
    this.parameterNames = options.parameterNames;
    this.cancellation = options.cancellation ?? new Cancellation();
    this.joinsSince = options.bypassCache ? performance.now() : undefined;
  }

  get readsCache(): boolean {
    return this.cache.isEnabled && !this.options.bypassCache;
  }

  credentialCache(kind: CredentialUse): CredentialCache {
    return this.cache.credential(authorizationFor(this.credentials, kind));
  }

  generation(kind: CredentialUse): Generation {
    return this.credentialCache(kind).generation();
  }

  /** Sends a call, until it is aborted, reads its response, and records the outcome. `onSend`: the request goes out. */
  async receive<T extends object>(
    call: Call,
    read: (response: RestResponse) => T,
    cancellation: Cancellation = this.cancellation,
    onSend?: () => void,
  ): Promise<T> {
    const { path, query, method } = call;
    const cache = this.credentialCache(call.credential);
    requireUrl(this.client.baseLength + path.length + (query === undefined ? 0 : 1 + query.length));
    const attempts = new Attempts(this, call, cache.authorization, cancellation, onSend);
    // A write, even one that failed, invalidates earlier reads.
    let isOutdated = method === 'PATCH';
    try {
      const response = await this.client.send(call, attempts);
      const outcome = tryToRead(response, read);
      attempts.answered(response, outcome);
      cache.accepted();
      // Pages are counted where they are used: one call may serve several operations.
      if (method !== 'GET') this.hold(response.bytes);
      if (outcome instanceof RestError) throw outcome;
      return outcome;
    } catch (error) {
      attempts.failed(error);
      const status = error instanceof RestError ? error.upstream?.status : undefined;
      if (status === 401) cache.rejected();
      // The credential may have been revoked.
      isOutdated ||= status === 401 || status === 403;
      throw error;
    } finally {
      // At other processes too, before the caller knows of it.
      if (isOutdated) await cache.invalidate();
    }
  }

  hold(bytes: number): void {
    this.options.hold?.(bytes);
  }

  /** Counts what is read, unless there is no room for it. */
  holdRead(bytes: number): void {
    this.hold(bytes);
    if (this.cancellation.isAborted) throw this.cancellation.error();
  }

  /** Takes an attempt of a call from those that the credential may make, if calls are limited. */
  admit({ credential }: Call, authorization: string): Promise<void> | undefined {
    const { callLimit } = this.options;
    if (callLimit === undefined) return undefined;
    // A call by the gateway's own application counts for the caller whose token it asks about.
    const { basic, bearer } = this.credentials;
    const counted = credential === 'introspection' ? (basic ?? bearer ?? authorization) : authorization;
    const { hash } = this.cache.credential(counted);
    const require = (isTaken: boolean) => {
      if (isTaken) return;
      const { limit, resetSeconds: retryAfter } = callLimit.standing(hash);
      const message = `This credential has made the ${limit} REST calls that it may make in a minute. Try again later.`;
      throw new RestError('RATE_LIMITED', message, { retryAfter });
    };
    const taken = callLimit.take(hash);
    return taken instanceof Promise ? taken.then(require) : void require(taken);
  }
}

/** Sends one call, with a record of each attempt: before it is sent, so that queued calls count as well. */
class Attempts implements Sender {
  readonly authorization: string;
  readonly cancellation: Cancellation;
  readonly #session: RestSession;
  readonly #call: Call;
  readonly #onSend: (() => void) | undefined;
  #record: CallRecord;
  #start: number | undefined;
  #span: CallSpan | undefined;
  #attempt = 1;

  constructor(
    session: RestSession,
    call: Call,
    authorization: string,
    cancellation: Cancellation,
    onSend: (() => void) | undefined,
  ) {
    this.#session = session;
    this.#call = call;
    this.authorization = authorization;
    this.cancellation = cancellation;
    this.#onSend = onSend;
    this.#record = session.startCall(call);
  }

  get owner(): string {
    return this.#session.options.owner;
  }

  admit(): Promise<void> | undefined {
    return this.#session.admit(this.#call, this.authorization);
  }

  sent(): CallSpan['headers'] | undefined {
    this.#start = this.#session.busy.start();
    this.#onSend?.();
    this.#span = this.#session.options.tracer?.start(this.#call);
    return this.#span?.headers;
  }

  mayRetry(error: unknown): boolean {
    this.failed(error);
    if (!this.#session.hasCallsLeft) return false;
    this.#attempt += 1;
    this.#record = this.#session.startCall(this.#call);
    return true;
  }

  /** With what was read of the response: the gateway may not be able to use it, or only in part. */
  answered({ status, bytes, body }: RestResponse, read: object): void {
    const { data } = isObject(body) ? body : {};
    this.#record.status = status;
    this.#record.bytes = bytes;
    // All lists of the service have the same envelope.
    this.#record.rows = Array.isArray(data) ? data.length : null;
    if (read instanceof RestError) this.#end(read.fault);
    else this.#end('isBroken' in read ? 'unexpected_body' : undefined);
  }

  /** Told twice if it may not be retried, or of an answer that could not be read. */
  failed(error: unknown): void {
    if (this.#start === undefined) {
      if (this.#record.milliseconds === null) this.#session.withdrawCall(this.#record);
      return;
    }
    // An error without `upstream` is not the service's: the operation was aborted, or ran out of memory or time.
    const { upstream, fault } = error instanceof RestError ? error : {};
    const isAborted = error instanceof RestError && upstream === undefined;
    this.#record.status = upstream?.status ?? null;
    this.#end(isAborted ? 'aborted' : (fault ?? 'internal'));
  }

  #end(fault: CallFault | undefined): void {
    const { busy, client } = this.#session;
    if (this.#start === undefined) return;
    const { status } = this.#record;
    const milliseconds = busy.end(this.#start);
    this.#start = undefined;
    this.#record.milliseconds = milliseconds;
    this.#span?.end(status, fault);
    client.events.attempted(this.#call.endpoint, status, fault, milliseconds, this.#attempt);
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
