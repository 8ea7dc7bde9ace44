import type { Socket } from 'node:net';
import { WaitingConnections } from './waiting-connections.ts';

/**
 * Hands connections to workers in turn, to each one at a time: the next when it has taken the one before. So a worker that
 * is stuck holds up no more than one, and what was not sent to a worker that ends can be given to another. Until a worker
 * has taken a connection this process holds it too, and closes it if the worker ends.
 */
export class Dispatcher<Worker extends object> {
  readonly #send: (worker: Worker, socket: Socket) => void;
  /** Those that can take a connection, in the order of their turns. */
  readonly #free = new Set<Worker>();
  /** Those that have not taken the connection that was sent to them. */
  readonly #sending = new Map<Worker, Socket>();
  /** Those that get no more, and whom to tell when they have taken the last. */
  readonly #leaving = new Map<Worker, () => void>();
  readonly #waiting = new WaitingConnections();
  #onEmpty: (() => void) | undefined;

  constructor(send: (worker: Worker, socket: Socket) => void) {
    this.#send = send;
  }

  join(worker: Worker): void {
    this.#free.add(worker);
    this.#dispatch();
  }

  add(socket: Socket): void {
    this.#waiting.add(socket);
    this.#dispatch();
  }

  /** The worker has taken the connection that was sent to it. */
  taken(worker: Worker): void {
    this.#release(worker);
    const onLeft = this.#leaving.get(worker);
    this.#leaving.delete(worker);
    if (onLeft) onLeft();
    else this.join(worker);
  }

  /** It gets no more; `onLeft` is called when it has taken what was sent to it. */
  leave(worker: Worker, onLeft: () => void): void {
    this.#free.delete(worker);
    if (this.#sending.has(worker)) this.#leaving.set(worker, onLeft);
    else onLeft();
  }

  /** The worker has ended. */
  forget(worker: Worker): void {
    this.#free.delete(worker);
    this.#release(worker);
    this.#leaving.delete(worker);
  }

  /** Resolves when no connection waits, or after this time; those that still wait are then closed. */
  async empty(milliseconds: number): Promise<void> {
    if (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#waiting.closeAll();
  }

  /** Closes what this process holds of a connection: if a worker has taken it, it stays open there. */
  #release(worker: Worker): void {
    this.#sending.get(worker)?.destroy();
    this.#sending.delete(worker);
  }

  #dispatch(): void {
    for (const worker of this.#free) {
      const socket = this.#waiting.take();
      if (socket === undefined) return;
      this.#free.delete(worker);
      this.#sending.set(worker, socket);
      this.#send(worker, socket);
      if (this.#waiting.size === 0) this.#onEmpty?.();
    }
  }
}
