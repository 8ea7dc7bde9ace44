import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ByteCounter, Holding } from '../../limits/byte-counter.ts';
import { type CallFault, faultOfError } from '../call-fault.ts';
import type { Cancellation } from '../cancellation.ts';
import { type ErrorCode, invalid, RestError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { errorFromResponse, secretsIn } from './error-response.ts';

const MAX_RESPONSE_BYTES = 8_000_000;

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
  /** Parsed JSON. */
  readonly body: unknown;
  readonly bytes: number;
  /** When it was sent by the service's own clock, if it says so. */
  readonly date?: string | undefined;
}

/** One HTTP exchange with the service. */
interface Exchange {
  readonly dispatcher: Dispatcher;
  /** Path of the service's base URL. */
  readonly prefix: string;
  readonly request: RestRequest;
  readonly authorization: string;
  /** The owner whose share of memory is used. */
  readonly owner: string;
  readonly cancellation: Cancellation;
  /** By `performance.now()`, and in words how long that is from the start of the call. */
  readonly deadline: number;
  readonly timeLimit: string;
  readonly memory: ByteCounter;
  /** The error of a call whose answer there is no room for. */
  readonly refuse: () => RestError;
}

/**
 * Uses undici's `dispatch`, its cheapest API, with a single deadline: undici's timeouts restart with each chunk, so a
 * slow drip would never time out. Redirects are not followed, so a credential cannot be sent elsewhere.
 */
export function attempt(exchange: Exchange, added?: Readonly<Record<string, string>>): Promise<RestResponse> {
  const { dispatcher, prefix, authorization } = exchange;
  const { method, path, query, body } = exchange.request;
  const headers = { ...added, accept: 'application/json', authorization };
  return new Promise((resolve, reject) => {
    const end = (outcome: RestResponse | RestError) =>
      outcome instanceof RestError ? reject(outcome) : resolve(outcome);
    dispatcher.dispatch(
      {
        method,
        path: prefix + path + (query ? `?${query}` : ''),
        headers: body ? { ...headers, 'content-type': body.type } : headers,
        body: body?.text ?? null,
        reset: method !== 'GET',
      },
      new Receiver(exchange, end),
    );
  });
}

/** Receives a response, unless the deadline passes or the call is aborted first. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #end: (outcome: RestResponse | RestError) => void;
  readonly #onAbort = () => this.#settle(this.#exchange.cancellation.error());
  readonly #timer: NodeJS.Timeout;
  readonly #held: Holding;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(exchange: Exchange, end: (outcome: RestResponse | RestError) => void) {
    this.#exchange = exchange;
    this.#end = end;
    const { owner, cancellation, request, deadline, memory, refuse } = exchange;
    // In whole milliseconds: Node has a list of timers for each duration, and would make one for each call.
    const timeLeft = Math.ceil(Math.max(0, deadline - performance.now()));
    this.#timer = setTimeout(() => this.#giveUp(), timeLeft);
    // What a write has done is told, and a token cannot be had again.
    const isRefusable = () => request.method === 'GET';
    this.#held = memory.hold(owner, () => this.#settle(refuse()), isRefusable);
    cancellation.onAbort(this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted while waiting for a connection: it is not sent at all.
    if (this.#isSettled) controller.abort(new Error('given up'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#held.add(chunk.length);
    if (this.#bytes > MAX_RESPONSE_BYTES) this.#refuse('too large an answer', 'too_large');
  }

  onResponseEnd(): void {
    if (this.#isSettled) return;
    this.#controller = undefined;
    const [status, headers] = [this.#status, this.#headers];
    const isJson = /^application\/(\w+\+)?json\b/i.test(String(headers['content-type']));
    const body = isJson ? parseJson(Buffer.concat(this.#chunks).toString()) : undefined;
    const { request, authorization } = this.#exchange;
    if (status < 200 || status > 299) {
      const secrets = [...secretsIn(authorization), ...(request.body?.secrets ?? [])];
      const response = { status, body, retryAfter: headers['retry-after'] };
      this.#settle(errorFromResponse(request, response, secrets));
    } else if (body === undefined) this.#refuse('an answer that is not JSON', 'invalid_body');
    else this.#settle({ status, body, bytes: this.#bytes, date: headers.date });
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    const fault = faultOfError(cause);
    // A reset shows as one or as the end of the connection, depending on what was read before it.
    const cut = fault === 'connection_reset' ? 'closed_early' : fault;
    if (this.#status > 0) this.#refuse('an incomplete answer', cut, cause);
    else this.#fail('UPSTREAM_UNAVAILABLE', 'The REST service cannot be reached.', fault, cause);
  }

  #giveUp(): void {
    const answering = this.#status === 0 ? 'answer_timeout' : 'body_timeout';
    const message = `The REST service did not answer within ${this.#exchange.timeLimit}.`;
    this.#fail('UPSTREAM_TIMEOUT', message, this.#controller ? answering : 'connect_timeout');
  }

  #refuse(what: string, fault: CallFault, cause?: Error): void {
    const { method, path } = this.#exchange.request;
    this.#settle(invalid({ method, path, status: this.#status }, what, cause, fault));
  }

  #fail(code: ErrorCode, message: string, fault: CallFault, cause?: Error): void {
    const { method, path } = this.#exchange.request;
    this.#settle(new RestError(code, message, { upstream: { method, path }, fault, cause }));
  }

  #settle(outcome: RestResponse | RestError): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#chunks = [];
    this.#held.release();
    clearTimeout(this.#timer);
    this.#exchange.cancellation.offAbort(this.#onAbort);
    this.#end(outcome);
    if (outcome instanceof RestError) this.#controller?.abort(outcome);
  }
}
