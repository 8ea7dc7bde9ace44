import { Gauge, type MetricFamily, mergeFamilies } from '../../telemetry/metrics/metrics.ts';
import { Questions } from './messages.ts';

/** A worker that does not answer by then is stuck; what it told last stands for it. */
const ANSWER_MS = 1_000;

/** A worker, to be asked for its metrics with an id to answer with. */
export interface MetricsSource {
  ask(id: number): void;
}

/**
 * Gathers the metrics of all workers, since one scrape reaches only one of them. Totals never go down: to Prometheus that
 * would be a restart, and all that was counted before would seem to happen again. So what ended workers have counted stays.
 */
export class Collector {
  readonly #questions = new Questions<MetricsSource>(ANSWER_MS);
  readonly #latest = new Map<MetricsSource, readonly MetricFamily[]>();
  #retired: readonly MetricFamily[] = [];

  /** `own`: those of the primary. */
  async collect(
    workers: readonly MetricsSource[],
    own: readonly MetricFamily[] = [],
  ): Promise<MetricFamily[]> {
    const missing = await this.#questions.ask(workers, (worker, id) => worker.ask(id));
    const gauge = workersGauge(workers.length, workers.length - missing.size);
    return mergeFamilies([...this.#latest.values(), this.#retired, own, [gauge]]);
  }

  /** What a worker has told, whether it was asked or is about to end. */
  add(worker: MetricsSource, families: readonly MetricFamily[], id?: number): void {
    this.#latest.set(worker, families);
    if (id !== undefined) this.#questions.answered(id, worker);
  }

  /** The worker has ended: its totals stay, and what it held is gone. */
  retire(worker: MetricsSource): void {
    const totals = (this.#latest.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
    this.#latest.delete(worker);
    this.#retired = mergeFamilies([this.#retired, totals]);
    this.#questions.forget(worker);
  }
}

function workersGauge(running: number, answered: number): MetricFamily {
  return new Gauge({
    name: 'receivables_workers',
    help: 'Workers that run, and those that have told their metrics in time.',
    labels: ['state'],
    read: () => [
      [['running'], running],
      [['answered'], answered],
    ],
  }).collect();
}
