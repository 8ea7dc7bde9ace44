import type { IncomingMessage, ServerResponse } from 'node:http';
import { overloaded, RequestError } from '../../http/errors.ts';
import { ByteCollector } from '../../limits/byte-collector.ts';
import type { ReceivedText } from '../../request/context.ts';
import { checkContent } from '../../request/http-checks.ts';
import { decodeBody, MAX_BODY_BYTES, opensArray, refusedText, TOO_LARGE } from '../../request/params.ts';
import { CLOSE } from './check-request.ts';
import type { Connection } from './connection.ts';
import { SafeRequest } from './messages.ts';
import type { Transfer, TransferAbortReason, Transfers } from './transfers.ts';

/** Where a body is counted, and who is told if it is refused because others need the room. */
interface Receiving {
  readonly uploads: Transfers;
  readonly connection: Connection;
  readonly onEvict: () => void;
}

/**
 * Receives a body; the text of one that is refused cannot be taken. It counts as an upload until then, since thousands
 * may arrive in one event loop turn. Rejects only if the client leaves.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  receiving: Receiving,
): Promise<ReceivedText> | ReceivedText {
  const { headers, httpVersion } = request;
  try {
    checkContent(headers);
    if (Number(headers['content-length']) > MAX_BODY_BYTES) throw TOO_LARGE;
  } catch (error) {
    return refusedText(error);
  }
  // HTTP/1.0 knows no 100 Continue: a client of it would take that for the response.
  if (headers.expect !== undefined && httpVersion !== '1.0') response.writeContinue();
  return new Promise((resolve, reject) => {
    const body = new Body(request, receiving, resolve);
    request.on('data', (chunk: Buffer) => body.add(chunk));
    request.on('end', () => body.end());
    request.on('error', (error) => {
      body.drop();
      reject(error);
    });
  });
}

class Body implements ReceivedText {
  readonly #request: IncomingMessage;
  readonly #resolve: (text: ReceivedText) => void;
  readonly #upload: Transfer;
  /** Until it is read or given up. */
  #received: ByteCollector | undefined = new ByteCollector();
  #opensArray: boolean | undefined;
  #failure: RequestError | undefined;

  constructor(request: IncomingMessage, receiving: Receiving, resolve: (text: ReceivedText) => void) {
    const { uploads, connection, onEvict } = receiving;
    this.#request = request;
    this.#resolve = resolve;
    const abort = (reason: TransferAbortReason) => {
      if (reason === 'evicted') onEvict();
      this.#fail(ABORT_ERRORS[reason]);
    };
    this.#upload = uploads.start(connection.owner, abort, () => connection.touch());
  }

  get isArray(): boolean {
    return this.#opensArray === true;
  }

  add(chunk: Buffer): void {
    const received = this.#received;
    if (received === undefined) return;
    this.#opensArray ??= opensArray(chunk);
    this.#upload.recordProgress(chunk.length);
    this.#upload.hold(received.append(chunk));
    if (received.length > MAX_BODY_BYTES) this.#fail(TOO_LARGE);
    else if (this.#request instanceof SafeRequest && this.#request.hasSmallChunks) this.#fail(SMALL_CHUNKS);
  }

  end(): void {
    this.#upload.isWaiting = true;
    this.#resolve(this);
  }

  check(): void {
    if (this.#failure) throw this.#failure;
  }

  take(): string {
    try {
      this.check();
      return decodeBody(this.#received?.content() ?? Buffer.alloc(0));
    } finally {
      this.drop();
    }
  }

  drop(): void {
    this.#upload.end();
    // The request may stay for a while, until the client has read the response.
    this.#received = undefined;
  }

  #fail(error: RequestError): void {
    this.#request.removeAllListeners('data').pause();
    this.drop();
    this.#failure = error;
    this.#resolve(refusedText(error));
  }
}

const ABORT_ERRORS: { readonly [reason in TransferAbortReason]: RequestError } = {
  stalled: new RequestError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.', CLOSE),
  evicted: overloaded('Too many requests are arriving.', '1', CLOSE),
};

const SMALL_CHUNKS = new RequestError(
  400,
  'BAD_REQUEST',
  'The body comes in too many small chunks: send it with `Content-Length`, or in larger ones.',
  CLOSE,
);

/** Whether the connection cannot be used again: the body is too long to drain, or its client waits for `100 Continue`. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}
