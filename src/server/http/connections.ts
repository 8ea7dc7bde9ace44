import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { memoryLimits, SharedBudget } from '../../limits/shared-budget.ts';
import { Connection } from './connection.ts';

/** Open connections at most, however much memory there is. */
const MAX_CONNECTIONS = 5_000;
/** Handles one request; the response may end later. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => void | Promise<void>;

export interface ConnectionsOptions {
  readonly handle: RequestHandler;
  /** Told of a fault in the gateway, or in Node, that belongs to one connection: it has been closed. */
  readonly onFault: (error: unknown) => void;
  readonly maxConnections?: number | undefined;
  /** Memory of all connections with their requests; without the bodies. */
  readonly connectionBytes?: number | undefined;
}

/** All open connections. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #open = new Set<Connection>();
  readonly #slots: SharedBudget;
  readonly #memory: SharedBudget;
  #isClosing = false;
  /** When the latest request was received, or closing began. */
  #activeAt = 0;
  #onEmpty: (() => void) | undefined;
  /** Number of connections opened so far. */
  opened = 0;

  constructor(options: ConnectionsOptions) {
    const { maxConnections = MAX_CONNECTIONS, connectionBytes = memoryLimits().connectionBytes } = options;
    this.#options = options;
    // Over a limit, a connection of the address that holds most is closed, the one whose last progress is the longest
    // ago. Node's own `maxConnections` would drop the new one instead, so that one client could lock out all others.
    this.#slots = new SharedBudget(maxConnections, { evicts: 'stalest' });
    this.#memory = new SharedBudget(connectionBytes, { evicts: 'stalest' });
  }

  /** How many are open, and the memory that is counted for them. */
  stats() {
    return { connections: this.#open.size, connectionBytes: this.#memory.held };
  }

  open(socket: Socket): void {
    this.opened += 1;
    const { handle, onFault } = this.#options;
    const connection = new Connection(socket, {
      slots: this.#slots,
      memory: this.#memory,
      onFault,
      handle: (...args) => {
        this.#activeAt = performance.now();
        if (this.#isClosing) connection.closeAfterResponse();
        return handle(...args);
      },
    });
    this.#open.add(connection);
    socket.once('close', () => {
      this.#open.delete(connection);
      connection.end();
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  /** From now on every response closes its connection, including those in flight. */
  closeAfterResponses(): void {
    this.#isClosing = true;
    this.#activeAt = performance.now();
    for (const connection of this.#open) connection.closeAfterResponse();
  }

  /**
   * Closes idle connections once no request has come on any for this long. Until then each may be the next: a proxy sends
   * its requests on whichever are left, and one that is on its way to a connection that closes is lost. Each response
   * closes its connection, so that requests come to an end.
   */
  async closeIdle(milliseconds: number): Promise<void> {
    const idleSince = performance.now() - milliseconds;
    if (this.#activeAt > idleSince) return;
    const idle = [...this.#open].filter((connection) => connection.isIdleSince(idleSince));
    // A request may be waiting in the kernel: Node reads what has arrived between one immediate and the next.
    await immediate();
    await immediate();
    for (const connection of idle) {
      if (connection.isIdleSince(idleSince)) connection.socket.destroy();
    }
  }

  destroyAll(): void {
    for (const connection of this.#open) connection.cut('shutdown');
  }

  waitUntilEmpty(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#open.size === 0) resolve();
      else this.#onEmpty = resolve;
    });
  }
}
