import type { CallLimit } from '../limits/call-limit.ts';
import { authorizationFor, type Credentials, type CredentialUse } from './authorization.ts';
import type { CredentialCache, RestCache } from './cache/rest-cache.ts';
import type { CallFault } from './call-fault.ts';
import {
  type CallRecord,
  type CallSpan,
  type CallTracer,
  millisecondsSince,
  OperationCalls,
} from './call-record.ts';
import { Cancellation } from './cancellation.ts';
import type { RestRequest, RestResponse } from './client/attempt.ts';
import type { RestClient, Sender } from './client/client.ts';
import { badInput, RestError } from './errors.ts';
import { isObject } from './json.ts';
import type { ParameterNames } from './resource.ts';
import { MAX_URL_BYTES } from './url.ts';

export type { Credentials } from './authorization.ts';

/** A REST call of a session: the request, the credential, and the parameters that may be shown. */
export interface Call extends RestRequest {
  readonly credential: CredentialUse;
  readonly parameters: { readonly [name: string]: unknown };
}

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
  /** Of each credential; by default there is none. */
  readonly callLimit?: CallLimit | undefined;
}

export interface RestSessionOptions {
  readonly credentials: Credentials;
  /** The owner that the calls count for; contains no credential. */
  readonly owner: string;
  readonly maxCalls?: number | undefined;
  /** Whether to bypass the cache for reads; responses are cached nevertheless. */
  readonly bypassCache?: boolean | undefined;
  /** Whether pages of lists are cached; not if there may be any number of them, which would drive out all others. */
  readonly storesLists?: boolean | undefined;
  readonly cancellation?: Cancellation | undefined;
  /** Adds to the bytes that the operation holds until it completes, within the budget of all operations in progress. */
  readonly hold?: ((bytes: number) => void) | undefined;
  readonly tracer?: CallTracer | undefined;
}

const TOO_LONG = badInput(
  'What is asked for does not fit into a URL: shorten the ids, filters or `after`, or select fewer fields.',
);

/** Access to the REST service for one operation of one caller. */
export class RestSession extends OperationCalls {
  readonly service: RestService;
  readonly options: RestSessionOptions;
  readonly cancellation: Cancellation;
  readonly hold: (bytes: number) => void;
  /** By `performance.now()`: calls that were sent earlier are not joined, if the cache is bypassed. */
  readonly joinsSince: number;

  constructor(service: RestService, options: RestSessionOptions) {
    super(options.maxCalls ?? Number.POSITIVE_INFINITY);
    this.service = service;
    this.options = options;
    this.cancellation = options.cancellation ?? new Cancellation();
    this.hold = options.hold ?? (() => {});
    this.joinsSince = options.bypassCache ? performance.now() : 0;
  }

  get readsCache(): boolean {
    return this.service.cache.isEnabled && !this.options.bypassCache;
  }

  credentialCache(kind: CredentialUse): CredentialCache {
    return this.service.cache.credential(authorizationFor(this.options.credentials, kind));
  }

  /** Sends a call, until it is aborted, and reads its response. `onSend`: the request goes out. */
  async receive<T extends object>(
    call: Call,
    read: (response: RestResponse) => T,
    cancellation: Cancellation = this.cancellation,
    onSend?: () => void,
  ): Promise<T> {
    const { client } = this.service;
    const cache = this.credentialCache(call.credential);
    // Whatever combination of values has made it so long.
    if (client.baseLength + call.path.length + 1 + (call.query?.length ?? 0) > MAX_URL_BYTES) throw TOO_LONG;
    // A write, even one that failed, invalidates earlier reads.
    let isOutdated = call.method === 'PATCH';
    // Counted before it is sent, so that queued calls count as well.
    this.takeCall();
    const sending = new Sending(this, call, cache, cancellation, read, onSend);
    try {
      return await client.send(call, sending);
    } catch (error) {
      const status = error instanceof RestError ? error.upstream?.status : undefined;
      if (status === 401) cache.rejected();
      // The credential may have been revoked.
      isOutdated ||= status === 401 || status === 403;
      throw error;
    } finally {
      if (sending.isWaiting) this.returnCall();
      // At other processes too, before the caller knows of it.
      if (isOutdated) await cache.invalidate();
    }
  }

  /** Takes an attempt of a call from those that the credential may make, if these are limited. */
  admit({ credential }: Call, authorization: string): void {
    const { cache, callLimit } = this.service;
    if (callLimit === undefined) return;
    // A call by the gateway's own application counts for the caller whose token it asks about.
    const { basic, bearer } = this.options.credentials;
    const counted = credential === 'introspection' ? (basic ?? bearer ?? authorization) : authorization;
    const { hash } = cache.credential(counted);
    if (callLimit.take(hash)) return;
    const { limit, resetSeconds: retryAfter } = callLimit.standing(hash);
    const message = `This credential has made the ${limit} REST calls that it may make in a minute. Try again later.`;
    throw new RestError('RATE_LIMITED', message, { retryAfter });
  }
}

/** A call that is being sent: each attempt is recorded, and its outcome told. */
class Sending<T extends object> implements Sender<T> {
  readonly authorization: string;
  readonly owner: string;
  readonly cancellation: Cancellation;
  /** Whether it has been counted, and not been sent. */
  isWaiting = true;
  readonly #session: RestSession;
  readonly #call: Call;
  readonly #cache: CredentialCache;
  readonly #read: (response: RestResponse) => T;
  readonly #onSend: (() => void) | undefined;
  #attempts = 0;
  /** Of the attempt that has begun last. */
  #record!: CallRecord;
  #span: CallSpan | undefined;

  constructor(
    session: RestSession,
    call: Call,
    cache: CredentialCache,
    cancellation: Cancellation,
    read: (response: RestResponse) => T,
    onSend?: () => void,
  ) {
    this.authorization = cache.authorization;
    this.owner = session.options.owner;
    this.cancellation = cancellation;
    this.#session = session;
    this.#call = call;
    this.#cache = cache;
    this.#read = read;
    this.#onSend = onSend;
  }

  begin(): CallSpan['headers'] | undefined {
    this.#session.admit(this.#call, this.authorization);
    if (this.cancellation.isAborted) throw this.cancellation.error();
    this.isWaiting = false;
    this.#attempts += 1;
    this.#onSend?.();
    this.#record = this.#session.record(this.#call, 'network');
    this.#span = this.#session.options.tracer?.start(this.#call);
    return this.#span?.headers;
  }

  read(response: RestResponse): T {
    const { status, bytes, body } = response;
    this.#cache.accepted();
    const { data } = isObject(body) ? body : {};
    // All lists of the service have the same envelope.
    const rows = Array.isArray(data) ? data.length : null;
    this.#record.status = status;
    this.#record.bytes = bytes;
    this.#record.rows = rows;
    // Pages are counted where they are used: one call may serve several operations.
    if (this.#call.method !== 'GET') this.#session.hold(bytes);
    const outcome = this.#read(response);
    this.#end('isBroken' in outcome ? 'unexpected_body' : undefined);
    return outcome;
  }

  fail(error: unknown): void {
    const known = error instanceof RestError ? error : undefined;
    this.#record.status ??= known?.upstream?.status ?? null;
    // Without `upstream` it is not the service's: the operation was aborted, or ran out of memory or time.
    this.#end(known && !known.upstream ? 'aborted' : (known?.fault ?? 'internal'));
  }

  mayRetry(): boolean {
    if (!this.#session.hasCallsLeft) return false;
    this.#session.takeCall();
    this.isWaiting = true;
    return true;
  }

  /** The service may have failed, or its answer cannot be used, or in part. */
  #end(fault: CallFault | undefined): void {
    const record = this.#record;
    record.milliseconds = millisecondsSince(record.startedAt);
    this.#span?.end(record.status, fault);
    const { events } = this.#session.service.client;
    events?.attempted(this.#call.endpoint, record.status, fault, record.milliseconds, this.#attempts);
  }
}
