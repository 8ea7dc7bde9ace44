import { jittered } from '../jitter.ts';
import type { CredentialCache } from './cache/rest-cache.ts';
import { type Call, type CallRecord, millisecondsSince } from './call.ts';
import type { Cancellation } from './cancellation.ts';
import type { RestResponse } from './client/attempt.ts';
import { isOutage } from './client/breaker.ts';
import { badInput, type CallErrorType, NOT_SENT, RestError } from './errors.ts';
import { isObject } from './json.ts';
import type { RestSession } from './session.ts';
import { MAX_URL_BYTES } from './url.ts';

const MAX_RETRIES = 2;
/** A longer Retry-After is returned to the caller instead. */
const MAX_WAIT_MS = 2000;
const BASE_DELAY_MS = 50;

const TOO_LONG = badInput(
  'The request does not fit into a URL. Shorten the ids, filters or `after`, or select fewer fields.',
);

interface CallOptions {
  readonly cancellation?: Cancellation;
  readonly onSend?: (() => void) | undefined;
}

/** Makes a REST call. Throws synchronously if it cannot be made, before an equal read could wait for it. */
export function makeCall<Result extends object>(
  session: RestSession,
  call: Call,
  read: (response: RestResponse) => Result,
  options: CallOptions = {},
): Promise<Result> {
  const cache = session.getCredentialCache(call.credential);
  const { baseLength } = session.service.client;
  if (baseLength + call.path.length + 1 + (call.query?.length ?? 0) > MAX_URL_BYTES) throw TOO_LONG;
  if (session.options.isDryRun) {
    if (session.tryCountCall()) session.addCall(call, 'network');
    throw NOT_SENT;
  }
  // Counted now, so that queued calls count as well.
  session.countCall();
  return sendWithRetries(session, call, cache, read, options);
}

async function sendWithRetries<Result extends object>(
  session: RestSession,
  call: Call,
  cache: CredentialCache,
  read: (response: RestResponse) => Result,
  { cancellation = session.cancellation, onSend }: CallOptions,
): Promise<Result> {
  const { limitKey } = session;
  const { client } = session.service;
  const { tracer, onAccepted } = session.options;
  const { authorization } = cache;
  const breaker = client.getBreaker(call.endpoint);
  // Checked before queueing too, so that calls that fail at once do not wait for a slot.
  breaker.check();
  const acquired = client.slots.acquire(limitKey, cancellation);
  if (acquired !== true && !(await acquired)) throw client.tooManyCalls();
  try {
    const isProbe = breaker.begin();
    const deadline = performance.now() + client.timeoutMs;
    // Writes and token calls are never retried. Neither is a probe: a single call has to decide.
    const maxRetries = call.method === 'GET' && !isProbe ? MAX_RETRIES : 0;
    for (let retries = 0; ; retries += 1) {
      session.countAttempt(call, cache);
      if (cancellation.isAborted) throw cancellation.error();
      onSend?.();
      const record = session.addCall(call, 'network');
      const span = tracer?.start(call);
      let errorType: CallErrorType | undefined;
      let failure: unknown;
      try {
        const headers = span?.headers;
        const response = await client.send(call, {
          authorization,
          limitKey,
          cancellation,
          deadline,
          headers,
        });
        cache.markAccepted();
        onAccepted?.();
        addResponse(record, response);
        // The memory of a page counts for each operation that uses it, which may be several.
        if (call.method !== 'GET') session.retainBytes(response.bytes);
        const result = read(response);
        if ('hasInvalidRows' in result) errorType = 'unexpected_body';
        breaker.end();
        return result;
      } catch (error) {
        failure = error;
        errorType = getErrorType(error);
        record.status ??= (error instanceof RestError && error.upstream?.status) || null;
        if (record.status === 401) cache.markRejected();
      } finally {
        record.milliseconds = millisecondsSince(record.startedAt);
        span?.end(record.status, errorType);
        client.events?.onAttempt(call.endpoint, record, errorType, retries + 1);
        // A write, even a failed one, and a 401 invalidate reads in all processes before the caller learns of them. A
        // 403 does not: it may concern one list, and the next call with a revoked token gets a 401.
        if (call.method === 'PATCH' || record.status === 401) await cache.invalidate();
      }
      const delayMs = retries < maxRetries ? getRetryDelay(failure, retries) : undefined;
      if (delayMs === undefined || performance.now() + delayMs >= deadline) throw failure;
      if (cancellation.isAborted || !session.tryCountCall()) throw failure;
      await cancellation.pause(delayMs);
    }
  } catch (error) {
    breaker.end(error);
    throw error;
  } finally {
    client.slots.release(limitKey);
  }
}

function addResponse(record: CallRecord, { status, bytes, body }: RestResponse): void {
  const { data } = isObject(body) ? body : {};
  record.status = status;
  record.bytes = bytes;
  record.rows = Array.isArray(data) ? data.length : null;
}

/** Without `upstream` the service did not fail: the operation was aborted, or ran out of memory or time. */
function getErrorType(error: unknown): CallErrorType {
  if (!(error instanceof RestError)) return 'internal';
  return error.upstream ? (error.errorType ?? 'internal') : 'aborted';
}

/** Returns the delay before a retry, at least the service's Retry-After, or undefined if a retry is useless. */
export function getRetryDelay(error: unknown, retries: number): number | undefined {
  if (!(error instanceof RestError && isTransient(error))) return undefined;
  const requestedMs = (error.retryAfter ?? 0) * 1000;
  if (requestedMs > MAX_WAIT_MS) return undefined;
  return requestedMs + jittered(BASE_DELAY_MS * 3 ** retries, 0.5, 1.5);
}

/** A retry would meet the same certificate and proxy credentials. */
const WILL_FAIL_AGAIN = /^(?:tls_(?!protocol)|proxy_authentication)/;

function isTransient(error: RestError): boolean {
  const { code, upstream, errorType = '', retryAfter } = error;
  if (code === 'RATE_LIMITED') return upstream !== undefined && retryAfter !== undefined;
  return isOutage(error) && code !== 'UPSTREAM_TIMEOUT' && !WILL_FAIL_AGAIN.test(errorType);
}
