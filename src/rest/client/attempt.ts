import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ByteCounter, Holding } from '../../limits/byte-counter.ts';
import { type CallFault, faultOfError } from '../call-fault.ts';
import type { CallSpan } from '../call-record.ts';
import type { Cancellation } from '../cancellation.ts';
import { invalid, RestError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { errorFromResponse } from './error-response.ts';

const MAX_RESPONSE_BYTES = 8_000_000;
/** Of an error only a code and a short message are used, so a longer body is not read. */
const MAX_ERROR_BYTES = 64_000;
const UNREACHABLE = 'The REST service cannot be reached.';

export interface RestRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Method and path template, such as `GET /v1/debtors`: one of a fixed set, never text from a caller. */
  readonly endpoint: string;
  /** Relative to the service's base URL; already encoded, like the query. */
  readonly path: string;
  readonly query?: string;
  /** The longest answer that is read; 8 MB by default. */
  readonly maxBytes?: number;
  readonly body?: { readonly type: string; readonly text: string; readonly secrets?: readonly string[] };
}

export interface RestResponse {
  readonly status: number;
  /** Parsed by the client's `text`. */
  readonly body: unknown;
  readonly bytes: number;
  /** When it was sent by the service's own clock, if it says so. */
  readonly date?: string | undefined;
}

/** The credential a call is sent with, and the owner it counts for. */
export interface Sender {
  readonly authorization: string;
  /** The owner whose share of places, memory and retries is used. */
  readonly owner: string;
  /** Aborts the call when its caller disconnects or the operation times out. */
  readonly cancellation: Cancellation;
  readonly log?: AttemptLog | undefined;
  /** Called before each attempt; throws or rejects if the credential may make no more calls. */
  readonly admit?: (() => Promise<void> | undefined) | undefined;
}

/** Records the attempts of a call, since a retry is a call to the service as well. */
export interface AttemptLog {
  /** Called when the request is sent, not if it is aborted before that; returns headers to send with it. */
  sent(): CallSpan['headers'] | undefined;
  /** Called with the error of a retryable attempt; returns whether it may be retried. */
  mayRetry(error: unknown): boolean;
}

/** One HTTP exchange with the service, and what may abort it. */
interface Attempt {
  readonly service: {
    /** Path of the service's base URL. */
    readonly prefix: string;
    /** How long a call may take, in words. */
    readonly timeLimit: string;
    readonly memory: ByteCounter;
    /** The error of a call whose answer there is no room for. */
    readonly refuse: () => RestError;
  };
  readonly sender: Sender;
  readonly dispatcher: Dispatcher;
  readonly request: RestRequest;
  /** Deadline of the call, by `performance.now()`. */
  readonly deadline: number;
}

/**
 * Uses undici's `dispatch`, its cheapest API, with a single deadline: undici's timeouts restart with each chunk, so a
 * slow drip would never time out. Redirects are not followed, so a credential cannot be sent elsewhere.
 */
export function attempt(options: Attempt): Promise<RestResponse> {
  const { service, sender, dispatcher, request } = options;
  const { method, path, query, body } = request;
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(options, resolve, reject);
    if (receiver.isSettled) return;
    const added = sender.log?.sent();
    const own = { accept: 'application/json', authorization: sender.authorization };
    const headers = added ? { ...added, ...own } : own;
    dispatcher.dispatch(
      {
        method,
        path: service.prefix + path + (query ? `?${query}` : ''),
        headers: body ? { ...headers, 'content-type': body.type } : headers,
        body: body?.text ?? null,
        reset: method !== 'GET',
      },
      receiver,
    );
  });
}

/** Receives a response, unless the deadline passes or the call is aborted first. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #options: Attempt;
  readonly #resolve: (response: RestResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onAbort = () => this.#fail(this.#options.sender.cancellation.error());
  readonly #timer: NodeJS.Timeout;
  readonly #held: Holding;
  isSettled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(options: Attempt, resolve: (response: RestResponse) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    const { service, sender, request, deadline } = options;
    // In whole milliseconds: Node has a list of timers for each duration, and would make one for each call.
    const timeLeft = Math.ceil(Math.max(0, deadline - performance.now()));
    this.#timer = setTimeout(() => this.#fail(this.#timeout()), timeLeft);
    // What a write has done is told, and a token cannot be had again.
    const isRefusable = () => request.method === 'GET';
    this.#held = service.memory.hold(sender.owner, () => this.#fail(service.refuse()), isRefusable);
    sender.cancellation.onAbort(this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted while waiting for a connection: it is not sent at all.
    if (this.isSettled) controller.abort(new Error('given up'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isSettled) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#held.add(chunk.length);
    const { maxBytes = MAX_RESPONSE_BYTES } = this.#options.request;
    if (this.#bytes > maxBytes) this.#fail(this.#invalid('too large an answer', 'too_large'));
    else if (this.#bytes > MAX_ERROR_BYTES && !isSuccess(this.#status)) this.#fail(this.#refusal());
  }

  onResponseEnd(): void {
    if (this.isSettled) return;
    const outcome = this.#outcome();
    this.#settle();
    if (outcome instanceof RestError) this.#reject(outcome);
    else this.#resolve(outcome);
  }

  #outcome(): RestResponse | RestError {
    const content = Buffer.concat(this.#chunks);
    const hasJson = isJson(this.#headers['content-type']);
    if (!isSuccess(this.#status))
      return this.#refusal(hasJson ? parseJson(content.toString('utf8')) : undefined);
    const body = hasJson ? parseJson(content.toString()) : undefined;
    if (body === undefined) return this.#invalid('an answer that is not JSON', 'invalid_body');
    return { status: this.#status, body, bytes: this.#bytes, date: this.#headers.date };
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    const fault = faultOfError(cause);
    // A reset shows as one or as the end of the connection, depending on what was read before it.
    const cut = fault === 'connection_reset' ? 'closed_early' : fault;
    const { method, path } = this.#options.request;
    const unreached = { upstream: { method, path }, fault, cause };
    if (this.#status > 0) this.#fail(this.#invalid('an incomplete answer', cut, cause));
    else this.#fail(new RestError('UPSTREAM_UNAVAILABLE', UNREACHABLE, unreached));
  }

  #fail(error: RestError): void {
    if (this.isSettled) return;
    this.#settle();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #settle(): void {
    this.isSettled = true;
    this.#chunks = [];
    this.#held.release();
    clearTimeout(this.#timer);
    this.#options.sender.cancellation.offAbort(this.#onAbort);
  }

  #timeout(): RestError {
    const { service, request } = this.#options;
    const { method, path } = request;
    const answering = this.#status === 0 ? 'answer_timeout' : 'body_timeout';
    const fault = this.#controller ? answering : 'connect_timeout';
    const message = `The REST service did not answer within ${service.timeLimit}.`;
    return new RestError('UPSTREAM_TIMEOUT', message, { upstream: { method, path }, fault });
  }

  #refusal(body?: unknown): RestError {
    const { request, sender } = this.#options;
    const upstream = { method: request.method, path: request.path, status: this.#status };
    const secrets = secretsIn(request, sender.authorization);
    return errorFromResponse(upstream, body, this.#headers['retry-after'], secrets, missingBy(request));
  }

  #invalid(what: string, fault: CallFault, cause?: Error): RestError {
    const { method, path } = this.#options.request;
    return invalid({ method, path, status: this.#status }, what, cause, fault);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The path of a write names a record, and a cursor one that may be gone. Every other path is the same for all callers. */
function missingBy({ method, query }: RestRequest): 'record' | 'path' {
  const namesRecord = method === 'PATCH' || new URLSearchParams(query).has('cursor');
  return namesRecord ? 'record' : 'path';
}

/** Secrets that must be redacted from error messages of the service. */
function secretsIn({ body }: RestRequest, authorization: string): string[] {
  const credential = authorization.replace(/^\S+ +/, '');
  const [, clientSecret = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return [credential, clientSecret, ...(body?.secrets ?? [])].filter((secret) => secret !== '');
}

function isJson(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && /^application\/(\w+\+)?json\b/i.test(contentType);
}
