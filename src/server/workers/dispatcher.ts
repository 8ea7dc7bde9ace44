import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerAt } from '../../limits/owner.ts';
import { listenOn, stopListening } from '../http/listen.ts';

/** How often those who stop look whether connections still wait. */
const POLL_MS = 10;

/**
 * Hands connections to workers in turn, to each the next when it has taken the one before: one that is stuck holds up
 * no more than one. Until it has taken a connection this process holds it too, and closes it if the worker ends.
 */
export class Dispatcher<Worker extends object> {
  /** Resolves when the worker has taken the connection, or has ended. */
  readonly #send: (worker: Worker, socket: Socket) => Promise<unknown>;
  /** In the order of their turns. */
  readonly #workers = new Set<Worker>();
  /** Those that have not taken the connection that was sent to them. */
  readonly #sending = new Map<Worker, Promise<void>>();
  readonly #waiting = new WaitingConnections();

  constructor(send: (worker: Worker, socket: Socket) => Promise<unknown>) {
    this.#send = send;
  }

  join(worker: Worker): void {
    this.#workers.add(worker);
    this.#dispatch();
  }

  add(socket: Socket): void {
    this.#waiting.add(socket);
    this.#dispatch();
  }

  /** It gets no more. Resolves when it has taken what was sent to it, or has ended. */
  async leave(worker: Worker): Promise<void> {
    this.#workers.delete(worker);
    await this.#sending.get(worker);
  }

  /** Resolves when no connection waits, or after this time; those that still wait are then closed. */
  async empty(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (this.#waiting.size > 0 && performance.now() < until) await sleep(POLL_MS);
    this.#waiting.closeAll();
  }

  #dispatch(): void {
    for (const worker of [...this.#workers]) {
      if (this.#sending.has(worker)) continue;
      const socket = this.#waiting.take();
      if (socket === undefined) return;
      // Behind the others.
      this.#workers.delete(worker);
      this.#workers.add(worker);
      this.#sending.set(worker, this.#hand(worker, socket));
    }
  }

  async #hand(worker: Worker, socket: Socket): Promise<void> {
    await this.#send(worker, socket);
    // What this process holds of it: if the worker has taken it, it stays open there.
    socket.destroy();
    this.#sending.delete(worker);
    this.#dispatch();
  }
}

export type Listener = Awaited<ReturnType<typeof listenFor>>;

/**
 * Not by Node's cluster: there the port closes as the last worker leaves it, which resets connections just accepted.
 */
export async function listenFor(port: number, host: string, handOut: (socket: Socket) => void) {
  // Nothing is read here, so all of it is left for the worker.
  const server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, handOut);
  const address = await listenOn(server, port, host);
  return { ...address, close: () => stopListening(server) };
}

/** Where all workers are stuck, more would only use up the system's. */
const MAX_WAITING = 2_000;

/**
 * Addresses take turns, and over the limit the oldest of the address that has most is closed: none locks others out.
 */
export class WaitingConnections {
  readonly #max: number;
  readonly #byOwner = new Map<string, Socket[]>();
  size = 0;

  constructor(max = MAX_WAITING) {
    this.#max = max;
  }

  add(socket: Socket): void {
    const owner = ownerAt(socket.remoteAddress);
    const sockets = this.#byOwner.get(owner) ?? [];
    sockets.push(socket);
    this.#byOwner.set(owner, sockets);
    this.size += 1;
    if (this.size <= this.#max) return;
    const [largest] = [...this.#byOwner].sort(([, one], [, other]) => other.length - one.length);
    if (largest) this.#take(largest[0])?.destroy();
  }

  take(): Socket | undefined {
    const [owner] = this.#byOwner.keys();
    return owner === undefined ? undefined : this.#take(owner);
  }

  closeAll(): void {
    for (let socket = this.take(); socket; socket = this.take()) socket.destroy();
  }

  /** The oldest of an owner, which goes to the end if it has more. */
  #take(owner: string): Socket | undefined {
    const sockets = this.#byOwner.get(owner) ?? [];
    const socket = sockets.shift();
    this.#byOwner.delete(owner);
    if (sockets.length > 0) this.#byOwner.set(owner, sockets);
    if (socket) this.size -= 1;
    return socket;
  }
}
