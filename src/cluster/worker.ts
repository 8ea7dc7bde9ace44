import { Socket } from 'node:net';
import type { MetricFamily } from '../telemetry/metrics/family.ts';
import { isMessage, type PrimaryMessage, type WorkerMessage } from './messages.ts';
import type { SharingReply, SharingRequest } from './sharing-requests.ts';

/** What the primary may ask of a worker. */
export interface WorkerHandlers {
  onConnection(socket: Socket): void;
  onLeaveRotation(spreadMs: number): void;
  onStop(spreadMs: number): void;
  /** Its own metrics. */
  metrics(): readonly MetricFamily[];
}

/** The worker's end of the channel to the primary. */
export class PrimaryChannel {
  readonly #collecting = new Map<number, (families: readonly MetricFamily[]) => void>();
  readonly #asking = new Map<number, (reply: SharingReply) => void>();
  #drop: (credential: string) => void = () => {};
  #last = 0;

  /** Only the primary stops a worker: a terminal, or a supervisor, signals the whole group. */
  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => {});
  }

  listen(handlers: WorkerHandlers): void {
    process.on('message', (message: unknown, handle: unknown) => {
      if (isMessage<PrimaryMessage>(message)) this.#receive(message, handle, handlers);
    });
    // Without its primary nobody hands it connections.
    process.on('disconnect', () => handlers.onStop(0));
  }

  #receive(message: PrimaryMessage, handle: unknown, handlers: WorkerHandlers): void {
    switch (message.type) {
      case 'connection':
        // The client may have disconnected on the way.
        if (handle instanceof Socket) handlers.onConnection(handle);
        this.send({ type: 'taken' });
        break;
      case 'leave-rotation':
        handlers.onLeaveRotation(message.spreadMs);
        break;
      case 'stop':
        handlers.onStop(message.spreadMs);
        break;
      case 'report':
        this.send({ type: 'metrics', id: message.id, families: handlers.metrics() });
        break;
      case 'collected':
        this.#collecting.get(message.id)?.(message.families);
        this.#collecting.delete(message.id);
        break;
      case 'shared':
        this.#asking.get(message.id)?.(message.reply);
        this.#asking.delete(message.id);
        break;
      case 'drop':
        this.#drop(message.credential);
        this.send({ type: 'dropped', id: message.id });
    }
  }

  /** Called with the hash of a credential that has written, or was rejected, at another worker. */
  onDrop(drop: (credential: string) => void): void {
    this.#drop = drop;
  }

  /** Asks the primary for something that all workers share. */
  request(request: SharingRequest): Promise<SharingReply> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#asking.set(id, resolve);
      this.send({ type: 'share', id, request });
    });
  }

  /** The metrics of all workers together. */
  collect(): Promise<readonly MetricFamily[]> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#collecting.set(id, resolve);
      this.send({ type: 'collect', id });
    });
  }

  /** `onSent` is called in any case. */
  send(message: WorkerMessage, onSent = () => {}): void {
    if (process.connected) process.send?.(message, undefined, undefined, onSent);
    else onSent();
  }
}
