import { type MetricFamily, mergeFamilies } from '../telemetry/metrics/family.ts';
import { Gauge } from '../telemetry/metrics/metrics.ts';

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
  readonly #waiting = new Map<
    number,
    { readonly missing: Set<MetricsSource>; readonly finish: () => void }
  >();
  readonly #latest = new Map<MetricsSource, readonly MetricFamily[]>();
  #retired: readonly MetricFamily[] = [];
  #lastId = 0;

  /** `own`: those of the primary. */
  collect(workers: readonly MetricsSource[], own: readonly MetricFamily[] = []): Promise<MetricFamily[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const missing = new Set(workers);
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        const gauge = workersGauge(workers.length, workers.length - missing.size);
        resolve(mergeFamilies([...this.#latest.values(), this.#retired, own, [gauge]]));
      };
      const timer = setTimeout(finish, ANSWER_MS);
      this.#waiting.set(id, { missing, finish });
      for (const worker of workers) worker.ask(id);
      if (missing.size === 0) finish();
    });
  }

  /** What a worker has told, whether it was asked or is about to end. */
  add(worker: MetricsSource, families: readonly MetricFamily[], id?: number): void {
    this.#latest.set(worker, families);
    const collection = id === undefined ? undefined : this.#waiting.get(id);
    if (collection?.missing.delete(worker) && collection.missing.size === 0) collection.finish();
  }

  /** The worker has ended: its totals stay, and what it held is gone. */
  retire(worker: MetricsSource): void {
    const totals = (this.#latest.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
    this.#latest.delete(worker);
    this.#retired = mergeFamilies([this.#retired, totals]);
    for (const { missing, finish } of this.#waiting.values())
      if (missing.delete(worker) && missing.size === 0) finish();
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
