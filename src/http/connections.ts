import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { ownerAt } from '../limits/owner.ts';
import { type Holding, SharedBudget } from '../limits/shared-budget.ts';

/** Pipelined requests that may be queued on one connection. Browsers and HTTP libraries do not pipeline. */
const MAX_PIPELINED = 100;
/** Total size of their bodies, which Node reads and buffers until they are handled. */
const MAX_PIPELINED_BYTES = 64_000;

/** Handles one request; the response may end later. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => void;

/** All open connections. */
export class Connections {
  readonly #handle: RequestHandler;
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #budget: SharedBudget;
  #isClosing = false;
  /** When the latest request was received, or closing began. */
  #activeAt = 0;
  #opened = 0;
  #onEmpty: (() => void) | undefined;

  constructor(maxConnections: number, handle: RequestHandler) {
    this.#handle = (request, response, connection) => {
      this.#activeAt = performance.now();
      handle(request, response, connection);
    };
    // Beyond the limit, an idle connection of the address with most connections is closed. Node's own `maxConnections`
    // would drop the new connection instead, so that one client could lock out all others.
    this.#budget = new SharedBudget(maxConnections, { evicts: 'stalest' });
  }

  /** Number of connections opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Number of connections that are open. */
  get size(): number {
    return this.#bySocket.size;
  }

  open(socket: Socket): void {
    this.#opened += 1;
    const connection = new Connection(socket, this.#handle, () => this.#isClosing);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      this.#bySocket.delete(socket);
      connection.close();
      if (this.#bySocket.size === 0) this.#onEmpty?.();
    });
    connection.slot = this.#budget.hold(
      connection.owner,
      () => socket.destroy(),
      () => !connection.isBusy,
    );
    connection.slot.add(1);
  }

  of(socket: Socket): Connection | undefined {
    return this.#bySocket.get(socket);
  }

  /** From now on every response closes its connection, including those in flight. */
  closeAfterResponses(): void {
    this.#isClosing = true;
    this.#activeAt = performance.now();
    for (const connection of this.#bySocket.values()) connection.closeAfterResponse();
  }

  /**
   * Closes idle connections once no request has come on any for this long. Until then each may be the next: a proxy sends
   * its requests on whichever are left, and one that is on its way to a connection that closes is lost. Each response
   * closes its connection, so that requests come to an end.
   */
  async closeIdle(milliseconds: number): Promise<void> {
    const idleSince = performance.now() - milliseconds;
    if (this.#activeAt > idleSince) return;
    const idle = Array.from(this.#bySocket.values()).filter((connection) =>
      connection.isIdleSince(idleSince),
    );
    // A request may be waiting in the kernel: Node reads what has arrived between one immediate and the next.
    await immediate();
    await immediate();
    for (const connection of idle) {
      if (connection.isIdleSince(idleSince)) connection.socket.destroy();
    }
  }

  destroyAll(): void {
    for (const [socket, connection] of this.#bySocket) {
      connection.isCut = true;
      socket.destroy();
    }
  }

  waitUntilEmpty(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#bySocket.size === 0) resolve();
      else this.#onEmpty = resolve;
    });
  }
}

/**
 * One connection. Pipelined requests are handled one at a time: a response queued behind another has no socket yet, so
 * it would see neither a disconnect nor backpressure.
 */
export class Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The owner it is counted for, regardless of the credentials in its requests. */
  readonly owner: string;
  readonly #handle: RequestHandler;
  readonly #isClosing: () => boolean;
  readonly #queue: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
  #request: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  /** Whether further requests are ignored. */
  #isDraining = false;
  slot: Holding | undefined;
  #idleSince = performance.now();
  /** What had been read when it became idle: more is the start of another request. */
  #bytesWhenIdle = 0;
  /** Called once if the client disconnects while its operation is in flight. */
  onAbort: (() => void) | undefined;
  /** Called once when the response has been sent, or the client has disconnected. */
  onEnd: (() => void) | undefined;
  /** Whether the gateway closes it before its response was sent, because it has to stop. */
  isCut = false;

  constructor(socket: Socket, handle: RequestHandler, isClosing: () => boolean) {
    this.socket = socket;
    this.address = socket.remoteAddress ?? '';
    this.owner = ownerAt(socket.remoteAddress);
    this.#handle = handle;
    this.#isClosing = isClosing;
  }

  get isBusy(): boolean {
    return this.#response !== undefined || this.#queue.length > 0;
  }

  /** Whether no part of a request has arrived since then. */
  isIdleSince(moment: number): boolean {
    return !this.isBusy && this.#idleSince <= moment && this.socket.bytesRead === this.#bytesWhenIdle;
  }

  /** Whether a completely received request is still unanswered, so that further input is not part of it. */
  get hasCompleteRequest(): boolean {
    return this.#queue.length > 0 || (this.#request?.complete ?? false);
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isDraining) {
      request.resume();
    } else if (this.#response === undefined && this.#queue.length === 0) {
      this.#start(request, response);
    } else if (this.#canQueue(request)) {
      this.#queue.push({ request, response });
      // Only the last response may announce that the connection closes.
      const current = this.#response;
      if (current?.hasHeader('Connection') && !current.headersSent) current.removeHeader('Connection');
    } else {
      // The client has to send the remaining requests again on a new connection, as HTTP requires of pipelining
      // clients.
      this.drain();
      request.resume();
      this.socket.pause();
    }
  }

  #canQueue(request: IncomingMessage): boolean {
    let bytes = bodyBytes(request);
    for (const queued of this.#queue) bytes += bodyBytes(queued.request);
    return this.#queue.length < MAX_PIPELINED && bytes <= MAX_PIPELINED_BYTES;
  }

  /** Ignores further requests, and closes the connection after the pending responses. */
  drain(): void {
    this.#isDraining = true;
    this.closeAfterResponse();
  }

  closeAfterResponse(): void {
    if (this.#response?.headersSent === false && this.#queue.length === 0)
      this.#response.setHeader('Connection', 'close');
  }

  close(): void {
    this.slot?.release();
    this.#queue.length = 0;
    this.onAbort?.();
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request;
    this.#response = response;
    this.slot?.touch();
    if (this.#isDraining || this.#isClosing()) this.closeAfterResponse();
    response.once('close', () => this.#next());
    this.#handle(request, response, this);
  }

  #next(): void {
    const { onEnd } = this;
    this.onEnd = undefined;
    onEnd?.();
    this.#request = undefined;
    this.#response = undefined;
    this.#idleSince = performance.now();
    this.#bytesWhenIdle = this.socket.bytesRead;
    // The last response has announced that the connection closes: what came after it has to be sent again, so it must
    // not run.
    if (!this.socket.writable) this.#queue.length = 0;
    // In another event loop turn, so that a disconnect is noticed first.
    if (this.#queue.length > 0) setImmediate(() => this.#startNext());
    // The headers of this response were sent before draining started, so they did not announce the close.
    else if (this.#isDraining) this.socket.destroySoon();
  }

  #startNext(): void {
    const next = this.#queue.shift();
    if (next) this.#start(next.request, next.response);
  }
}

/** A body of unknown length counts as the maximum. */
function bodyBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? (headers['transfer-encoding'] ? MAX_PIPELINED_BYTES : 0));
}
