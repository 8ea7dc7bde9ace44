import type { CallLimit } from '../limits/call-limit.ts';
import { authorizationFor, type Credentials, type CredentialUse } from './authorization.ts';
import type { CredentialCache, Generation, RestCache } from './cache/rest-cache.ts';
import type { CallFault } from './call-fault.ts';
import { type CallTracer, millisecondsSince, OperationCalls } from './call-record.ts';
import { Cancellation } from './cancellation.ts';
import type { RestRequest, RestResponse } from './client/attempt.ts';
import type { RestClient } from './client/client.ts';
import { RestError } from './errors.ts';
import { isObject } from './json.ts';
import type { ParameterNames } from './resource.ts';
import { requireUrl } from './url.ts';

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

/** Access to the REST service for one operation of one caller. */
export class RestSession extends OperationCalls {
  readonly service: RestService;
  readonly options: RestSessionOptions;
  readonly client: RestClient;
  readonly cache: RestCache;
  readonly credentials: Credentials;
  readonly parameterNames: ParameterNames;
  readonly cancellation: Cancellation;
  /** By `performance.now()`: calls that were sent earlier are not joined, if the cache is bypassed. */
  readonly joinsSince: number | undefined;

  constructor(service: RestService, options: RestSessionOptions) {
    super(options.maxCalls ?? Number.POSITIVE_INFINITY);
    this.service = service;
    this.options = options;
    this.client = service.client;
    this.cache = service.cache;
    this.credentials = options.credentials;
    this.parameterNames = service.parameterNames;
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

  hold(bytes: number): void {
    this.options.hold?.(bytes);
  }

  /** Sends a call, until it is aborted, and reads its response. `onSend`: the request goes out. */
  async receive<T extends object>(
    call: Call,
    read: (response: RestResponse) => T,
    cancellation: Cancellation = this.cancellation,
    onSend?: () => void,
  ): Promise<T> {
    const { path, query, method } = call;
    const { client, service, options } = this;
    const cache = this.credentialCache(call.credential);
    const { authorization } = cache;
    requireUrl(client.baseLength + path.length + (query === undefined ? 0 : 1 + query.length));
    // A write, even one that failed, invalidates earlier reads.
    let isOutdated = method === 'PATCH';
    let attempts = 0;
    // Counted before it is sent, so that queued calls count as well.
    this.takeCall();
    let isWaiting = true;
    try {
      return await client.send<T>(call, {
        authorization,
        owner: options.owner,
        cancellation,
        attempt: async (send) => {
          if (service.callLimit) this.#admit(service.callLimit, call, authorization);
          if (cancellation.isAborted) throw cancellation.error();
          isWaiting = false;
          attempts += 1;
          onSend?.();
          return this.#record(call, attempts, send, (response) => {
            cache.accepted();
            return read(response);
          });
        },
        mayRetry: () => {
          if (!this.hasCallsLeft) return false;
          this.takeCall();
          isWaiting = true;
          return true;
        },
      });
    } catch (error) {
      const status = error instanceof RestError ? error.upstream?.status : undefined;
      if (status === 401) cache.rejected();
      // The credential may have been revoked.
      isOutdated ||= status === 401 || status === 403;
      throw error;
    } finally {
      if (isWaiting) this.returnCall();
      // At other processes too, before the caller knows of it.
      if (isOutdated) await cache.invalidate();
    }
  }

  /** Takes an attempt of a call from those that the credential may make. */
  #admit(callLimit: CallLimit, { credential }: Call, authorization: string): void {
    // A call by the gateway's own application counts for the caller whose token it asks about.
    const { basic, bearer } = this.credentials;
    const counted = credential === 'introspection' ? (basic ?? bearer ?? authorization) : authorization;
    const { hash } = this.cache.credential(counted);
    if (callLimit.take(hash)) return;
    const { limit, resetSeconds: retryAfter } = callLimit.standing(hash);
    const message = `This credential has made the ${limit} REST calls that it may make in a minute. Try again later.`;
    throw new RestError('RATE_LIMITED', message, { retryAfter });
  }

  /** Makes one attempt, and tells of its outcome: the service may have failed, or its answer cannot be used, or in part. */
  async #record<T extends object>(
    call: Call,
    attempt: number,
    send: (headers?: Readonly<Record<string, string>>) => Promise<RestResponse>,
    read: (response: RestResponse) => T,
  ): Promise<T> {
    const record = this.record(call, 'network');
    const span = this.options.tracer?.start(call);
    let fault: CallFault | undefined;
    try {
      const response = await send(span?.headers);
      const { data } = isObject(response.body) ? response.body : {};
      record.status = response.status;
      record.bytes = response.bytes;
      // All lists of the service have the same envelope.
      record.rows = Array.isArray(data) ? data.length : null;
      // Pages are counted where they are used: one call may serve several operations.
      if (call.method !== 'GET') this.hold(response.bytes);
      const outcome = read(response);
      if ('isBroken' in outcome) fault = 'unexpected_body';
      return outcome;
    } catch (error) {
      fault = 'internal';
      if (error instanceof RestError) {
        // Without `upstream` it is not the service's: the operation was aborted, or ran out of memory or time.
        fault = error.upstream ? (error.fault ?? fault) : 'aborted';
        record.status ??= error.upstream?.status ?? null;
      }
      throw error;
    } finally {
      record.milliseconds = millisecondsSince(record.startedAt);
      span?.end(record.status, fault);
      this.client.events?.attempted(call.endpoint, record.status, fault, record.milliseconds, attempt);
    }
  }
}
