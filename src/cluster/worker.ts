import type { MetricFamily } from '../telemetry/metrics/family.ts';
import { isMessage, type PrimaryMessage, type WorkerMessage } from './messages.ts';

/** What the primary may ask of a worker. */
export interface WorkerOptions {
  readonly onStop: () => void;
  /** Its own metrics; undefined if they are off. */
  readonly metrics: () => readonly MetricFamily[];
}

/** The worker's end of the channel to the primary. */
export class PrimaryChannel {
  readonly #waiting = new Map<number, (families: readonly MetricFamily[]) => void>();
  #last = 0;

  /** Only the primary stops a worker: a terminal, or a supervisor, signals the whole group. */
  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => {});
  }

  listen({ onStop, metrics }: WorkerOptions): void {
    process.on('message', (message: unknown) => {
      if (!isMessage<PrimaryMessage>(message)) return;
      if (message.type === 'stop') onStop();
      else if (message.type === 'report') this.send({ type: 'metrics', id: message.id, families: metrics() });
      else {
        this.#waiting.get(message.id)?.(message.families);
        this.#waiting.delete(message.id);
      }
    });
    // Without its primary nobody hands it connections.
    process.on('disconnect', onStop);
  }

  /** The metrics of all workers together. */
  collect(): Promise<readonly MetricFamily[]> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ type: 'collect', id });
    });
  }

  send(message: WorkerMessage): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }
}
