import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { SharedBudget } from '../../limits/shared-budget.ts';
import { Connection } from './connection.ts';

/** Open connections at most, however much memory there is. */
const MAX_CONNECTIONS = 5_000;
/** Handles one request; the response may end later. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => void | Promise<void>;

interface ConnectionsOptions {
  readonly maxConnections?: number | undefined;
  /** Memory of all connections with their requests; without the bodies. */
  readonly maxBytes: number;
  readonly handle: RequestHandler;
  /** Told of a fault in the gateway, or in Node, that belongs to one connection: it has been closed. */
  readonly onFault: (error: unknown) => void;
}

/** All open connections. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #slots: SharedBudget;
  readonly #memory: SharedBudget;
  #isClosing = false;
  /** When the latest request was received, or closing began. */
  #activeAt = 0;
  #opened = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: ConnectionsOptions) {
    const { maxConnections = MAX_CONNECTIONS, maxBytes } = options;
    this.#options = options;
    // Over a limit, a connection of the address that holds most is closed, the one whose last progress is the longest
    // ago. Node's own `maxConnections` would drop the new one instead, so that one client could lock out all others.
    this.#slots = new SharedBudget(maxConnections, { evicts: 'stalest' });
    this.#memory = new SharedBudget(maxBytes, { evicts: 'stalest' });
  }

  /** Number of connections opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Number of connections that are open. */
  get size(): number {
    return this.#bySocket.size;
  }

  /** Memory that is counted for them. */
  get heldBytes(): number {
    return this.#memory.held;
  }

  open(socket: Socket): void {
    this.#opened += 1;
    const { handle, onFault } = this.#options;
    const connection = new Connection(socket, {
      handle: (request, response) => {
        this.#activeAt = performance.now();
        if (this.#isClosing) connection.closeAfterResponse();
        return handle(request, response, connection);
      },
      onFault,
    });
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      this.#bySocket.delete(socket);
      connection.end();
      if (this.#bySocket.size === 0) this.#onEmpty?.();
    });
    connection.holdFrom(this.#slots, this.#memory);
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
