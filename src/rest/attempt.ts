import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { parseBytes } from './bytes.ts';
import type { Caller } from './caller.ts';
import { invalid, RestError, type Upstream } from './errors.ts';
import { parseJson } from './json.ts';
import { refusal } from './refusal.ts';

export interface RestRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Below the service's base address; encoded, as the query is. */
  readonly path: string;
  readonly query?: string;
  readonly body?: { readonly type: string; readonly text: string; readonly secrets?: readonly string[] };
}

export interface RestResponse {
  readonly status: number;
  /** JSON whose strings are bytes. */
  readonly body: unknown;
  readonly bytes: number;
}

/** One HTTP exchange with the service, and what may end it before its end. */
export interface Attempt {
  readonly dispatcher: Dispatcher;
  /** The path of the service's base address. */
  readonly prefix: string;
  readonly request: RestRequest;
  readonly authorization: string;
  readonly maxResponseBytes: number;
  /** Ends it when the caller leaves or runs out of time. */
  readonly caller: Caller;
  /** When its own time is over, by `performance.now()`. */
  readonly endsAt: number;
}

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly content: Buffer;
}

/** No redirect is followed, so no credential can go elsewhere. */
export async function attempt(options: Attempt): Promise<RestResponse> {
  const { request, authorization } = options;
  const { status, headers, content } = await exchange(options);
  const upstream = { method: request.method, path: request.path, status };
  const hasJson = isJson(headers['content-type']);
  if (status < 200 || status > 299) {
    const body = hasJson ? parseJson(content.toString('utf8')) : undefined;
    throw refusal(upstream, body, headers['retry-after'], secretsIn(request, authorization));
  }
  const body = hasJson ? parseBytes(content) : undefined;
  if (body === undefined) throw invalid(upstream, 'an answer that is not JSON');
  return { status, body, bytes: content.length };
}

/**
 * By undici's `dispatch`, its cheapest way, with one deadline of our own: undici's timeouts start again at each
 * chunk, so that a slow drip would never end.
 */
function exchange(options: Attempt): Promise<RawResponse> {
  const { dispatcher, prefix, request, authorization, maxResponseBytes, caller, endsAt } = options;
  const upstream: Upstream = { method: request.method, path: request.path };
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let size = 0;
    const chunks: Buffer[] = [];

    const settle = () => {
      settled = true;
      clearTimeout(timer);
      caller.offLeave(leave);
    };
    const fail = (error: RestError) => {
      if (settled) return;
      settle();
      reject(error);
      controller?.abort(error);
    };
    const leave = () => fail(caller.error());
    const timer = setTimeout(() => fail(tooSlow(upstream)), Math.max(0, endsAt - performance.now()));
    caller.onLeave(leave);
    if (settled) return;

    dispatcher.dispatch(
      {
        method: request.method,
        path: prefix + request.path + (request.query ? `?${request.query}` : ''),
        headers: request.body
          ? { accept: 'application/json', authorization, 'content-type': request.body.type }
          : { accept: 'application/json', authorization },
        body: request.body?.text ?? null,
      },
      {
        onRequestStart(started) {
          controller = started;
          // Given up while it waited for a connection: then it is not sent at all.
          if (settled) started.abort(new Error('given up'));
        },
        onResponseStart(_controller, statusCode, received) {
          status = statusCode;
          headers = received;
        },
        onResponseData(_controller, chunk) {
          size += chunk.length;
          if (size > maxResponseBytes) fail(invalid({ ...upstream, status }, 'too large an answer'));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          if (settled) return;
          settle();
          const [only] = chunks;
          const content = only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
          resolve({ status, headers, content });
        },
        onResponseError(_controller, cause) {
          fail(
            status === 0
              ? unreachable(upstream, cause)
              : invalid({ ...upstream, status }, 'an incomplete answer', cause),
          );
        },
      },
    );
  });
}

function unreachable(upstream: Upstream, cause: unknown): RestError {
  return new RestError('UPSTREAM_UNAVAILABLE', 'The REST service cannot be reached.', { upstream, cause });
}

function tooSlow(upstream: Upstream): RestError {
  return new RestError('UPSTREAM_TIMEOUT', 'The REST service did not answer in time.', { upstream });
}

/** What an answer must not quote back to a caller. */
function secretsIn({ body }: RestRequest, authorization: string): string[] {
  const credential = authorization.replace(/^\S+ +/, '');
  const [, clientSecret = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return [credential, clientSecret, ...(body?.secrets ?? [])].filter((secret) => secret !== '');
}

function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/(\w+\+)?json\b/i.test(contentType);
}
