import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { ByteCollector } from '../../limits/byte-collector.ts';
import type { Holding, SharedBudget } from '../../limits/shared-budget.ts';
import { isSliceOver, nextSlice } from '../../limits/time-slice.ts';
import { type CallFault, faultOfError } from '../call-fault.ts';
import type { CallSpan } from '../call-record.ts';
import type { Cancellation } from '../cancellation.ts';
import { type ErrorCode, invalid, RestError, SHORT_ANSWER_BYTES, unreadWrite } from '../errors.ts';
import { parseJson, valueBytes } from '../json.ts';
import type { TextCodec } from '../wire-text.ts';
import { errorFromResponse } from './error-response.ts';
import { excessIn, mayTakeLong } from './json-size.ts';

export const MAX_RESPONSE_BYTES = 8_000_000;

/** Parsing a longer response takes milliseconds, so it is done in several event loop turns. */
const LARGE_BYTES = 200_000;

/** Shorter ones are parsed at once, also where a slice is over. */
const SMALL_BYTES = 10_000;

/** Of an error only a code and a short message are used, so a longer body is not read. */
const MAX_ERROR_BYTES = 64_000;

/** Answers with a status of 1xx before the real one; services send one or two, if any. */
const MAX_INFORMATIONAL = 10;

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
  /** The owner whose share of slots, queue, memory and retry budget is used. */
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
  readonly service: Service;
  readonly sender: Sender;
  readonly dispatcher: Dispatcher;
  readonly request: RestRequest;
  /** Deadline of the call, by `performance.now()`. */
  readonly deadline: number;
  /** What that comes from, in words. */
  readonly limit: string;
}

interface Service {
  /** Path of the service's base URL. */
  readonly prefix: string;
  readonly text: TextCodec;
  readonly memory: SharedBudget;
  readonly onEvict: () => void;
}

/**
 * Uses undici's `dispatch`, its cheapest API, with a single deadline: undici's timeouts restart with each chunk, so a
 * slow drip would never time out. Redirects are not followed, so a credential cannot be sent elsewhere.
 */
export function attempt(options: Attempt): Promise<RestResponse> {
  const { service, sender, dispatcher, request } = options;
  const { authorization, log } = sender;
  const { method, path, query, body } = request;
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(options, resolve, reject);
    if (receiver.isSettled) return;
    const added = log?.sent();
    // Spreads take a kilobyte, and most calls have nothing to add.
    const own = { accept: 'application/json', authorization };
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

const TOO_MUCH_MEMORY =
  'The answers of the REST service take too much memory. Ask for less, or try again in a moment.';

/** Receives a response, unless the deadline passes or the call is aborted first. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #options: Attempt;
  readonly #resolve: (response: RestResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onAbort = () => this.#fail(this.#options.sender.cancellation.error());
  readonly #timer: NodeJS.Timeout;
  readonly #holding: Holding;
  isSettled = false;
  #onSettled: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #informational = 0;
  /** Let go of when the call ends: an error that somebody keeps would keep it, through its stack. */
  #body = new ByteCollector();
  #bytes = 0;

  constructor(options: Attempt, resolve: (response: RestResponse) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    // In whole milliseconds: Node has a list of timers for each duration, and would make one for each call.
    const timeLeft = Math.ceil(Math.max(0, options.deadline - performance.now()));
    this.#timer = setTimeout(() => this.#timeOut(), timeLeft);
    this.#holding = options.service.memory.hold(
      options.sender.owner,
      () => {
        options.service.onEvict();
        this.#fail(this.#evicted());
      },
      // What a write has done is told, and a token cannot be had again.
      () => options.request.method === 'GET' || this.#holding.amount > SHORT_ANSWER_BYTES,
    );
    options.sender.cancellation.onAbort(this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted while waiting for a connection: it is not sent at all.
    if (this.isSettled) controller.abort(new Error('given up'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
    if (status >= 200) return;
    this.#informational += 1;
    if (this.#informational > MAX_INFORMATIONAL)
      this.#fail(this.#invalid('informational answers without end', 'invalid_http'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isSettled) return;
    this.#holding.add(this.#body.append(chunk));
    const { length } = this.#body;
    const { maxBytes = MAX_RESPONSE_BYTES } = this.#options.request;
    if (length > maxBytes) this.#fail(this.#invalid('too large an answer', 'too_large'));
    else if (length > MAX_ERROR_BYTES && !isSuccess(this.#status)) this.#fail(this.#error());
  }

  onResponseEnd(): void {
    if (this.isSettled) return;
    // The service has answered in time, however long the rest takes: the operation has a deadline of its own.
    clearTimeout(this.#timer);
    const content = this.#body.content();
    const hasJson = isJson(this.#headers['content-type']);
    if (!isSuccess(this.#status))
      this.#end(this.#error(hasJson ? parseJson(content.toString('utf8')) : undefined));
    else if (!hasJson) this.#end(undefined);
    else this.#parse(content);
  }

  #parse(content: Buffer): void {
    const { length } = content;
    const isSuspect = mayTakeLong(content);
    if (length <= SMALL_BYTES || (length <= LARGE_BYTES && !isSuspect && !isSliceOver()))
      this.#end(this.#options.service.text.parse(content));
    else void this.#parseLarge(content, isSuspect).then((body) => this.#end(body));
  }

  /** Whoever gives up while it waits for its turn is told at once, and its body is not parsed. */
  readonly #pause = async (parsed?: unknown): Promise<boolean> => {
    // Beside the body, its text and its value are held.
    if (parsed !== undefined) this.#holding.add(this.#body.length + valueBytes(parsed, new Set()));
    if (!this.isSettled && isSliceOver()) {
      // Whoever waits here keeps the value, which counts no more once it is settled.
      const settled = new Promise<void>((resolve) => {
        this.#onSettled = resolve;
      });
      await Promise.race([nextSlice(this.#options.sender.owner), settled]);
    }
    return !this.isSettled;
  };

  async #parseLarge(content: Buffer, isSuspect: boolean): Promise<unknown> {
    const { service, request } = this.#options;
    if (!(await this.#pause())) return undefined;
    if (isSuspect) {
      // Of a write, each record that could not be changed has a member of its own.
      const maxNames = request.method === 'GET' ? undefined : Number.POSITIVE_INFINITY;
      const excess = await excessIn(content, this.#pause, maxNames);
      if (excess !== undefined) return this.#invalid(excess, 'too_large');
    }
    return this.isSettled ? undefined : service.text.parseLarge(content, this.#pause);
  }

  /** With the parsed body, undefined if it is not JSON, or the error that it stands for. */
  #end(body: unknown): void {
    if (this.isSettled) return;
    this.#settle();
    if (body instanceof RestError) this.#reject(body);
    else if (body === undefined) this.#reject(this.#invalid('an answer that is not JSON', 'invalid_body'));
    else this.#resolve({ status: this.#status, body, bytes: this.#bytes, date: this.#headers.date });
    this.#holding.release();
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    const fault = faultOfError(cause);
    // Not sent again, unlike a call that failed on its way: reading so many headers takes long.
    if (cause instanceof errors.HeadersOverflowError)
      this.#fail(this.#invalid('too many headers', fault, cause));
    else if (this.#status === 0)
      this.#failUnanswered('UPSTREAM_UNAVAILABLE', 'The REST service cannot be reached.', fault, cause);
    else {
      // A reset shows as one or as the end of the connection, depending on what was read before it.
      const cut = fault === 'connection_reset' ? 'closed_early' : fault;
      this.#fail(this.#invalid('an incomplete answer', cut, cause));
    }
  }

  #timeOut(): void {
    const message = `The REST service did not answer within ${this.#options.limit}.`;
    const answering = this.#status === 0 ? 'answer_timeout' : 'body_timeout';
    this.#failUnanswered('UPSTREAM_TIMEOUT', message, this.#controller ? answering : 'connect_timeout');
  }

  #failUnanswered(code: ErrorCode, message: string, fault: CallFault, cause?: Error): void {
    const { method, path } = this.#options.request;
    this.#fail(new RestError(code, message, { upstream: { method, path }, fault, cause }));
  }

  #settle(): void {
    this.isSettled = true;
    this.#onSettled?.();
    this.#bytes = this.#body.length;
    this.#body = new ByteCollector();
    clearTimeout(this.#timer);
    this.#options.sender.cancellation.offAbort(this.#onAbort);
  }

  #fail(error: RestError): void {
    if (this.isSettled) return;
    this.#settle();
    this.#holding.release();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #evicted(): RestError {
    const isMade = this.#options.request.method !== 'GET' && isSuccess(this.#status);
    return isMade ? unreadWrite() : new RestError('OVERLOADED', TOO_MUCH_MEMORY, { retryAfter: 1 });
  }

  #error(body?: unknown): RestError {
    const { request, sender } = this.#options;
    const { method, path } = request;
    const upstream = { method, path, status: this.#status };
    const secrets = secretsIn(request, sender.authorization);
    return errorFromResponse(upstream, body, this.#headers['retry-after'], secrets, missingBy(request));
  }

  #invalid(what: string, fault: CallFault, cause?: Error): RestError {
    const { method, path } = this.#options.request;
    return invalid({ method, path, ...(this.#status > 0 && { status: this.#status }) }, what, cause, fault);
  }
}

/** The path of a write names a record, and a cursor one that may be gone. Every other path is the same for all callers. */
function missingBy({ method, query }: RestRequest): 'record' | 'path' {
  const namesRecord = method === 'PATCH' || new URLSearchParams(query).has('cursor');
  return namesRecord ? 'record' : 'path';
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
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
