import type { CallLimit } from '../limits/call-limit.ts';
import type { CredentialCache, RestCache } from './cache/rest-cache.ts';
import type { CallFault } from './call-fault.ts';
import { type CallTracer, millisecondsSince, OperationCalls, type ShownCall } from './call-record.ts';
import { Cancellation } from './cancellation.ts';
import type { RestRequest, RestResponse } from './client/attempt.ts';
import type { Attempts, RestClient } from './client/client.ts';
import { badInput, RestError } from './errors.ts';
import { isObject } from './json.ts';
import type { CredentialKind, ParameterNames } from './resource.ts';
import { MAX_URL_BYTES } from './url.ts';

/** `Authorization` values, each sent to its own endpoints only. */
export interface Credentials {
  readonly bearer?: string | undefined;
  readonly basic?: string | undefined;
  /** What is wrong with a Basic credential that the caller sent; then there is no `basic`. */
  readonly basicProblem?: string | undefined;
  /** The gateway's own application, used only to introspect the caller's own token. */
  readonly own?: string | undefined;
}

/** What a call needs a credential for. */
export type CredentialUse = CredentialKind | 'introspection';

/** A REST call of a session: the request, and the credential that it is sent with. */
export interface Call extends RestRequest, Pick<ShownCall, 'parameters'> {
  readonly credential: CredentialUse;
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

  credentialCache(kind: CredentialUse): CredentialCache {
    return this.service.cache.credential(authorizationFor(this.options.credentials, kind));
  }

  /**
   * Sends a call, until it is aborted, and reads its response. Throws at once if it cannot be made, so that nobody joins
   * it. `onSend`: the request goes out.
   */
  receive<T extends object>(
    call: Call,
    read: (response: RestResponse) => T,
    cancellation: Cancellation = this.cancellation,
    onSend?: () => void,
  ): Promise<T> {
    const { client } = this.service;
    const { owner, tracer } = this.options;
    const cache = this.credentialCache(call.credential);
    const { authorization } = cache;
    // Whatever combination of values has made it so long.
    if (client.baseLength + call.path.length + 1 + (call.query?.length ?? 0) > MAX_URL_BYTES) throw TOO_LONG;
    // Counted before it is sent, so that queued calls count as well.
    this.takeCall();

    const once: Attempts<T>['once'] = async (send, attempt) => {
      this.#admit(call, authorization);
      if (cancellation.isAborted) throw cancellation.error();
      onSend?.();
      const record = this.record(call, 'network');
      const span = tracer?.start(call);
      // A write, even one that failed, invalidates earlier reads.
      let isOutdated = call.method === 'PATCH';
      let fault: CallFault | undefined;
      try {
        const response = await send(span?.headers);
        cache.accepted();
        const { status, bytes, body } = response;
        // All lists of the service have the same envelope.
        const { data } = isObject(body) ? body : {};
        record.status = status;
        record.bytes = bytes;
        record.rows = Array.isArray(data) ? data.length : null;
        // Pages are counted where they are used: one call may serve several operations.
        if (call.method !== 'GET') this.hold(bytes);
        const outcome = read(response);
        if ('isBroken' in outcome) fault = 'unexpected_body';
        return outcome;
      } catch (error) {
        const known = error instanceof RestError ? error : undefined;
        const status = known?.upstream?.status ?? null;
        record.status ??= status;
        // Without `upstream` it is not the service's: the operation was aborted, or ran out of memory or time.
        fault = known && !known.upstream ? 'aborted' : (known?.fault ?? 'internal');
        if (status === 401) cache.rejected();
        // The credential may have been revoked.
        isOutdated ||= status === 401 || status === 403;
        throw error;
      } finally {
        record.milliseconds = millisecondsSince(record.startedAt);
        span?.end(record.status, fault);
        client.events?.attempted(call.endpoint, record.status, fault, record.milliseconds, attempt);
        // At other processes too, before the caller knows of it.
        if (isOutdated) await cache.invalidate();
      }
    };
    return client.send(call, {
      authorization,
      owner,
      cancellation,
      once,
      mayRetry: () => this.tryTakeCall(),
    });
  }

  /** Takes an attempt of a call from those that the credential may make, if these are limited. */
  #admit({ credential }: Call, authorization: string): void {
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

const MISSING = {
  bearer: 'Send the header `Authorization: Bearer <access token>`.',
  basic:
    'Send the header `Authorization: Basic <client id and secret>`, or beside a bearer token ' +
    '`X-Client-Authorization: Basic <client id and secret>`.',
  introspection:
    'Introspection of your token needs an application: configure the gateway with REST_CLIENT_ID and ' +
    'REST_CLIENT_SECRET, or send `X-Client-Authorization: Basic <client id and secret>`.',
};

/** Selects the credential for an endpoint; credentials are never sent to other endpoints. */
function authorizationFor(credentials: Credentials, kind: CredentialUse): string {
  const { bearer, basic, basicProblem, own } = credentials;
  if (kind !== 'bearer' && basicProblem !== undefined) throw new RestError('UNAUTHENTICATED', basicProblem);
  const authorization = { bearer, basic, introspection: basic ?? own }[kind];
  if (authorization !== undefined) return authorization;
  throw new RestError(kind === 'introspection' ? 'NOT_CONFIGURED' : 'UNAUTHENTICATED', MISSING[kind]);
}
