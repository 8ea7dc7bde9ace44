import type { Socket } from 'node:net';
import { ownerAt } from '../limits/owner.ts';

/** Where all workers are stuck, more would only use up the system's. */
const MAX_WAITING = 2_000;

/**
 * Connections that wait for a worker. Addresses take turns, and over the limit the connection is closed that has waited
 * longest, of the address that has most: a client that opens connections without end delays and locks out nobody else.
 */
export class WaitingConnections {
  readonly #max: number;
  readonly #byOwner = new Map<string, Socket[]>();
  #size = 0;

  constructor(max = MAX_WAITING) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  add(socket: Socket): void {
    const owner = ownerAt(socket.remoteAddress);
    const sockets = this.#byOwner.get(owner);
    if (sockets) sockets.push(socket);
    else this.#byOwner.set(owner, [socket]);
    this.#size += 1;
    if (this.#size > this.#max) this.#take(this.#largestOwner())?.destroy();
  }

  /** The next one. */
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
    if (socket) this.#size -= 1;
    return socket;
  }

  #largestOwner(): string {
    let largest = '';
    let most = 0;
    for (const [owner, { length }] of this.#byOwner) {
      if (length <= most) continue;
      most = length;
      largest = owner;
    }
    return largest;
  }
}
