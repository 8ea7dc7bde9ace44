import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ownerAt } from '../limits/owner.ts';
import { type Holding, SharedBudget } from '../limits/shared-budget.ts';

/** Requests that may wait behind another on one connection. Browsers and HTTP libraries send none. */
const MAX_PIPELINED = 100;
/** Of their bodies, which Node reads and keeps until they are served. */
const MAX_PIPELINED_BYTES = 64_000;

/** Serves one request; settles when its response has been handed over, or has failed. */
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
  #opened = 0;
  #onEmpty: (() => void) | undefined;

  constructor(maxConnections: number, handle: RequestHandler) {
    this.#handle = handle;
    // Beyond the limit an idle connection makes room, one of the address that has most: Node itself would drop the
    // newcomer, so that whoever holds all connections open locks everybody else out.
    this.#budget = new SharedBudget(maxConnections, { evicts: 'stalest' });
  }

  /** How many have been opened so far. */
  get opened(): number {
    return this.#opened;
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

  /** From now on every response closes its connection, those under way too. */
  closeAfterResponses(): void {
    this.#isClosing = true;
    for (const connection of this.#bySocket.values()) connection.closeAfterResponse();
  }

  /** Closes the connections that have been idle for so long. */
  closeIdle(milliseconds: number): void {
    const now = performance.now();
    for (const connection of this.#bySocket.values()) {
      if (!connection.isBusy && now - connection.idleSince >= milliseconds) connection.socket.destroy();
    }
  }

  destroyAll(): void {
    for (const socket of this.#bySocket.keys()) socket.destroy();
  }

  waitUntilEmpty(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#bySocket.size === 0) resolve();
      else this.#onEmpty = resolve;
    });
  }
}

/**
 * One connection. What is pipelined on it is served one request at a time: a response that waits for its turn has no
 * socket yet, so it would neither learn that the client is gone nor be held back by a client that does not read.
 */
export class Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Whom it is counted for, whatever credentials come with its requests. */
  readonly owner: string;
  readonly #handle: RequestHandler;
  readonly #isClosing: () => boolean;
  readonly #queue: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
  #request: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  /** Whether nothing more is taken from it. */
  #isDraining = false;
  slot: Holding | undefined;
  idleSince = performance.now();
  /** Called once, when the client has gone, while somebody works for it. */
  onAbort: (() => void) | undefined;

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

  /** Whether a request that has arrived whole is still to be answered, so that what else arrives is not part of it. */
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
    } else {
      // The client has to send the rest again, on a new connection, as HTTP asks of whoever pipelines.
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

  /** Takes nothing more from it, and closes it once what it has sent is answered. */
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
    this.#request = undefined;
    this.#response = undefined;
    this.idleSince = performance.now();
    // In another turn of the event loop, which is when it is noticed that the client has gone.
    if (this.#queue.length > 0) setImmediate(() => this.#startNext());
    // A response that had begun when it became the last could no longer say so.
    else if (this.#isDraining) this.socket.destroySoon();
  }

  #startNext(): void {
    const next = this.#queue.shift();
    if (next) this.#start(next.request, next.response);
  }
}

/** Of a body whose length is not told, as much as may wait. */
function bodyBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? (headers['transfer-encoding'] ? MAX_PIPELINED_BYTES : 0));
}
