import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ownerAt } from '../../limits/owner.ts';
import type { Holding, SharedBudget } from '../../limits/shared-budget.ts';
import type { Turns } from '../../limits/start-queue.ts';
import type { Client } from '../../request/context.ts';
import type { Transfer, Transfers } from './transfers.ts';

/** Memory of a connection without a request: the objects of Node and of the gateway. Measured on the heap. */
const CONNECTION_BYTES = 4_000;
/** Memory of a request without its headers, and of each header beside its text: two strings and their places. */
const REQUEST_BYTES = 4_500;
const HEADER_BYTES = 140;
/** Behind a body in chunks, trailers may come: as many as headers, and as long. */
const TRAILER_BYTES = 20_000;

/** How long one that closes waits for its client: else the kernel drops what is not received yet (RFC 9112, 9.6). */
const LINGER_MS = 5_000;

/** Handles one request; the response may end later. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => void | Promise<void>;

interface ConnectionOptions {
  /** What it takes a place and memory of; it is closed if others need the room. */
  readonly slots: SharedBudget;
  readonly memory: SharedBudget;
  readonly startQueue: Turns | undefined;
  readonly handle: RequestHandler;
  readonly onFault: (error: unknown) => void;
}

const bySocket = new WeakMap<Socket, Connection>();

/**
 * One connection, which is idle, serves one request, or closes. What arrives behind a request before its response has
 * ended is not served: the response says that the connection closes, and a client that pipelines has to send the rest
 * again (RFC 9112, 9.3.2). Browsers, proxies and HTTP libraries do not pipeline.
 */
export class Connection implements Client {
  readonly socket: Socket;
  readonly address: string;
  readonly owner: string;
  readonly #options: ConnectionOptions;
  readonly #slot: Holding;
  readonly #memory: Holding;
  #state: 'idle' | 'serving' | 'closing' = 'idle';
  /** The request, until all of it has come and it is answered, and the response that is being made or sent. */
  #request: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  #requestBytes = 0;
  #download: Transfer | undefined;
  /** Whether all that still arrives is ignored. */
  #isDiscarding = false;
  /** When it became idle, and what had been read by then: more is the start of another request. */
  #idle = { since: performance.now(), bytesRead: 0 };
  isRunning = false;
  onAbort: (() => void) | undefined;
  onLeave: (() => void) | undefined;
  /** Called once when the response has been sent, or the client has disconnected. */
  onEnd: (() => void) | undefined;
  /** Why the gateway closes it before its response was sent, if it does and the client does not. */
  closedBy: 'shutdown' | 'slow reader' | 'fault' | undefined;

  static of(socket: Socket): Connection | undefined {
    return bySocket.get(socket);
  }

  constructor(socket: Socket, options: ConnectionOptions) {
    this.socket = socket;
    this.address = socket.remoteAddress ?? '';
    this.owner = ownerAt(socket.remoteAddress);
    this.#options = options;
    bySocket.set(socket, this);
    // Node's own listener is gone once it has handed a socket over.
    socket.on('error', () => {});
    socket.once('close', () => this.#end());
    // Node calls this after a response that closes the connection.
    socket.destroySoon = () => this.#close();
    const close = () => socket.destroy();
    // Whatever its client keeps waiting makes room: requests that do not arrive, and responses that are not read.
    const isEvictable = () => !this.isRunning;
    this.#slot = options.slots.hold(this.owner, close, isEvictable);
    this.#slot.add(1);
    this.#memory = options.memory.hold(this.owner, close, isEvictable);
    this.#memory.add(CONNECTION_BYTES);
  }

  /** Whether the next request is served. */
  get isIdle(): boolean {
    return this.#state === 'idle' && this.socket.writable;
  }

  get isGone(): boolean {
    return this.socket.destroyed;
  }

  get isCut(): boolean {
    return this.closedBy === 'shutdown';
  }

  /** Whether no part of a request has arrived since then, and no refusal waits for its turn. */
  isIdleSince(moment: number): boolean {
    if (this.#state === 'serving' || this.onLeave || this.#idle.since > moment) return false;
    return this.#state === 'closing' || this.socket.bytesRead === this.#idle.bytesRead;
  }

  touch(): void {
    this.#slot.touch();
    this.#memory.touch();
  }

  /** Tracks the response that is being sent: a client that stops reading it is disconnected. */
  track(downloads: Transfers, bytes: number): Transfer {
    if (this.#download) return this.#download;
    const download = downloads.start(
      this.owner,
      () => this.cut('slow reader'),
      () => this.touch(),
    );
    // If the client left while its response was being made, nothing else would end the download.
    if (this.#response === undefined) download.end();
    else this.#download = download;
    download.hold(bytes);
    return download;
  }

  cut(by: Connection['closedBy']): void {
    this.closedBy ??= by;
    this.#destroy();
  }

  /**
   * Breaks off in the middle of a response, so that nobody takes what was sent for the whole. Of a body in chunks the
   * last one is missing; without chunks, in HTTP/1.0, only a reset tells, which may cost the client what it has not read.
   */
  breakOff(): void {
    this.closedBy = 'fault';
    if (!this.#response?.chunkedEncoding) return void this.socket.resetAndDestroy();
    this.#destroy();
  }

  /** The `fetch` of Node 20 takes a body without its last chunk for whole, if its headers say `Connection: close`. */
  #destroy(): void {
    const { headersSent, chunkedEncoding, shouldKeepAlive, writableEnded } = this.#response ?? {};
    const looksWhole = headersSent && chunkedEncoding && !shouldKeepAlive && !writableEnded;
    // What waits for a client that does not read is dropped, and so would the chunk be.
    if (looksWhole && this.socket.writableLength > 0) return void this.socket.resetAndDestroy();
    // No chunk has such a length.
    if (looksWhole) this.socket.write('x\r\n');
    this.socket.destroy();
  }

  /** Counts what has come of a request whose headers have not ended: Node keeps it, and tells nothing of it. */
  countHead(): void {
    const received = this.socket.bytesRead - this.#idle.bytesRead;
    // What comes behind a request that was answered early is the rest of its body, and it is still counted.
    if (this.#state !== 'idle' || this.#request || received === 0) return;
    this.#countRequest(REQUEST_BYTES + Math.min(received, maxHeaderSize));
  }

  #countRequest(bytes: number): void {
    this.#memory.add(bytes - this.#requestBytes);
    this.#requestBytes = bytes;
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    if (!this.isIdle) return void this.refuseInput();
    this.#state = 'serving';
    this.#request = request;
    this.#response = response;
    this.touch();
    this.#countRequest(requestBytes(request));
    if (this.socket.destroyed) return;
    response.once('close', () => this.#endResponse());
    // Node drops what stands behind a request to switch protocols, even if it is not granted.
    if (request.headers.upgrade !== undefined) this.closeAfterResponse();
    try {
      this.#options.handle(request, response, this)?.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ignores all further input, and closes the connection after the response that is in flight. */
  refuseInput(): void {
    this.#discardInput();
    if (this.#state === 'serving') this.closeAfterResponse();
    else this.#close();
  }

  /**
   * Answers input that is not a request, unless the client would take that for the response to another request. Thousands
   * of clients may be refused at once: those that are too slow are found together.
   */
  async refuse(rawResponse: () => string): Promise<void> {
    if (!this.#awaitsResponse) return void this.refuseInput();
    this.#discardInput();
    this.#state = 'closing';
    const response = this.#response;
    await this.#options.startQueue?.enter(this.owner, 'addresses', this);
    if (this.isGone) return;
    // A request whose body is at fault may have been answered meanwhile.
    if (!response?.headersSent) this.socket.write(rawResponse());
    this.#linger();
  }

  /** Whether what is arriving has no response yet. */
  get #awaitsResponse(): boolean {
    if (!this.socket.writable || this.#isDiscarding || this.#state === 'closing') return false;
    // Of a request that was answered before all of it had come, the rest may still be arriving.
    if (this.#state === 'idle') return this.#request?.complete !== false;
    // One that is not read on has its response already, which may be waiting for its turn.
    const isRead = this.#request?.complete === false && this.#request.listenerCount('data') > 0;
    return isRead && this.#response?.headersSent === false;
  }

  #discardInput(): void {
    // Node stops reading as it hands a socket over.
    if (this.#isDiscarding) return void this.socket.resume();
    this.#isDiscarding = true;
    // Read on, so that a disconnect is noticed, but without Node's listener, which parses.
    this.socket
      .removeAllListeners('data')
      .on('data', () => {})
      .once('end', () => this.socket.destroy());
  }

  closeAfterResponse(): void {
    if (this.#response?.headersSent === false) this.#response.shouldKeepAlive = false;
  }

  /** Closes it because of a fault in the gateway or in Node, which ends nothing else. */
  fail(error: unknown): void {
    this.#options.onFault(error);
    this.socket.destroy();
  }

  /** Releases what it holds, once its socket is closed. */
  #end(): void {
    bySocket.delete(this.socket);
    this.#state = 'closing';
    this.#slot.release();
    this.#memory.release();
    this.onAbort?.();
    this.onLeave?.();
  }

  #endResponse(): void {
    const { onEnd } = this;
    this.onEnd = undefined;
    onEnd?.();
    this.#download?.end();
    this.#download = undefined;
    this.#response = undefined;
    this.#idle = { since: performance.now(), bytesRead: this.socket.bytesRead };
    if (this.#state !== 'serving') return;
    this.#state = 'idle';
    if (this.#request?.complete) {
      this.#request = undefined;
      this.#countRequest(0);
    }
    // The headers were sent before the early input came, so they did not announce the close.
    if (this.#isDiscarding) this.#close();
  }

  #close(): void {
    if (this.#state === 'closing') return;
    this.#state = 'closing';
    const isAllRead = !this.#isDiscarding && this.#request?.complete !== false;
    if (isAllRead) return void Socket.prototype.destroySoon.call(this.socket);
    this.#discardInput();
    this.#linger();
  }

  /** Closes it once its client has, which has to be given the time to receive what was sent. */
  #linger(): void {
    const { socket } = this;
    // What has been received of a body and not been read is dropped.
    this.#request?.resume();
    const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(lingering)).end();
  }
}

function requestBytes({ rawHeaders, headers, url = '' }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length + (rawHeaders.length / 2) * HEADER_BYTES;
  if (headers['transfer-encoding'] !== undefined) bytes += TRAILER_BYTES;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}
