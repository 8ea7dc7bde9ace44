import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type FairLimit, Reservation } from '../../limits/fair-limit.ts';
import { decodeUtf8 } from '../../utf8.ts';
import type { Cancellation } from '../cancellation.ts';
import { type CallErrorType, classifyError, invalidResponse, RestError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { errorFromResponse, getSecrets } from './error-response.ts';

const MAX_RESPONSE_BYTES = 8_000_000;

const SENT = ' The call was sent, so it may have taken effect.';

export interface RestRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Method and path template, such as `GET /v1/debtors`: one of a fixed set, never text from a caller. */
  readonly endpoint: string;
  /** Relative to the service's base URL; already encoded, like the query. */
  readonly path: string;
  readonly query?: string;
  readonly body?: { readonly type: string; readonly text: string; readonly secrets?: readonly string[] };
}

export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
  readonly bytes: number;
  readonly date?: string | undefined;
}

export interface RestTransport {
  readonly reads: Dispatcher;
  readonly writes: Dispatcher;
  readonly origin: string;
  /** The path of the base URL. */
  readonly prefix: string;
  readonly timeLimit: string;
  readonly memory: FairLimit;
  outOfMemory(): RestError;
}

export interface SendOptions {
  readonly authorization: string;
  readonly limitKey: string;
  readonly cancellation: Cancellation;
  readonly deadline: number;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/**
 * Uses undici's `dispatch`, its cheapest API, with a single deadline: undici's timeouts restart with each chunk, so a
 * slow drip would never time out. Redirects are not followed, so a credential cannot be sent elsewhere.
 */
export function sendRequest(
  transport: RestTransport,
  request: RestRequest,
  { authorization, limitKey, cancellation, deadline, headers: added }: SendOptions,
): Promise<RestResponse> {
  const { method, path, query, body } = request;
  const isRead = method === 'GET';
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let chunks: Buffer[] = [];
    let bytes = 0;
    let isSettled = false;

    function settle(outcome: RestResponse | RestError): void {
      if (isSettled) return;
      isSettled = true;
      chunks = [];
      reservation.release();
      clearTimeout(timer);
      cancellation.offAbort(onAbort);
      if (outcome instanceof RestError) {
        reject(outcome);
        controller?.abort(outcome);
      } else resolve(outcome);
    }
    const rejectResponse = (what: string, errorType: CallErrorType, cause?: Error) =>
      settle(invalidResponse({ method, path, status }, what, cause, errorType));
    /** Ends the message of an error without a response. */
    const effect = () => (isRead || !controller ? '' : SENT);
    const onAbort = () => settle(cancellation.error(effect()));
    const onTimeout = () => {
      const answering = status === 0 ? 'answer_timeout' : 'body_timeout';
      const message = `The REST service did not respond within ${transport.timeLimit}.${effect()}`;
      const errorType = controller ? answering : 'connect_timeout';
      settle(new RestError('UPSTREAM_TIMEOUT', message, { upstream: { method, path }, errorType }));
    };

    // Whole milliseconds: Node creates a list of timers for each duration.
    const timer = setTimeout(onTimeout, Math.ceil(Math.max(0, deadline - performance.now())));
    // Never drop the response to a write for lack of memory: the caller must learn the outcome.
    const reservation = new Reservation(
      transport.memory,
      limitKey,
      0,
      () => settle(transport.outOfMemory()),
      () => isRead,
    );
    cancellation.onAbort(onAbort);
    const sent = { ...added, accept: 'application/json', authorization };
    (isRead ? transport.reads : transport.writes).dispatch(
      {
        origin: transport.origin,
        method,
        path: transport.prefix + path + (query ? `?${query}` : ''),
        headers: body ? { ...sent, 'content-type': body.type } : sent,
        body: body?.text ?? null,
        reset: !isRead,
      },
      {
        onRequestStart(started) {
          controller = started;
          // Aborted while waiting for a connection: it is not sent at all.
          if (isSettled) started.abort(new Error('given up'));
        },
        onResponseStart(_, code, received) {
          status = code;
          headers = received;
        },
        onResponseData(_, chunk) {
          if (isSettled) return;
          chunks.push(chunk);
          bytes += chunk.length;
          reservation.add(chunk.length);
          if (bytes > MAX_RESPONSE_BYTES) rejectResponse('too large a response', 'too_large');
        },
        onResponseEnd() {
          if (isSettled) return;
          controller = undefined;
          const isJson = /^application\/([\w.-]+\+)?json\b/i.test(String(headers['content-type']));
          const parsed = isJson ? parseJson(decodeUtf8(Buffer.concat(chunks))) : undefined;
          if (status < 200 || status > 299) {
            const secrets = [...getSecrets(authorization), ...(body?.secrets ?? [])];
            const response = { status, body: parsed, retryAfter: headers['retry-after'] };
            settle(errorFromResponse(request, response, secrets));
          } else if (parsed === undefined) rejectResponse('a response that is not JSON', 'invalid_body');
          else settle({ status, body: parsed, bytes, date: headers.date });
        },
        onResponseError(_, cause) {
          const errorType = classifyError(cause);
          // A reset may also show as the end of the connection, depending on what was read before.
          const cut = errorType === 'connection_reset' ? 'closed_early' : errorType;
          if (status > 0) return rejectResponse('an incomplete response', cut, cause);
          const upstream = { method, path };
          const message = errorType.startsWith('proxy_')
            ? cause.message
            : `The REST service cannot be reached.${effect()}`;
          settle(new RestError('UPSTREAM_UNAVAILABLE', message, { upstream, errorType, cause }));
        },
      },
    );
  });
}
