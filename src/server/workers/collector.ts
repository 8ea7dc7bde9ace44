import { gauge, type MetricFamily, mergeFamilies } from '../../telemetry/metrics/metrics.ts';
import { within } from './channel.ts';

/** A worker that does not answer by then is stuck; what it told last stands for it. */
const ANSWER_MS = 1_000;

interface MetricsSource {
  /** Undefined if it ends meanwhile. */
  metrics(): Promise<readonly MetricFamily[] | undefined>;
}

/**
 * Of all workers, since a scrape reaches one. What ended ones counted stays: to Prometheus, a lower total is a restart.
 */
export class Collector {
  readonly #latest = new Map<MetricsSource, readonly MetricFamily[]>();
  #retired: readonly MetricFamily[] = [];

  async collect(workers: readonly MetricsSource[], own: readonly MetricFamily[] = []) {
    const ask = async (worker: MetricsSource) => {
      const families = await worker.metrics();
      if (families) this.add(worker, families);
      return families;
    };
    const answers = await Promise.all(workers.map((worker) => within(ANSWER_MS, ask(worker))));
    const help = 'Workers that run, and those that have told their metrics in time.';
    const counts = { running: workers.length, answered: answers.filter(Boolean).length };
    const states = gauge('receivables_workers', help, () => Object.entries(counts), { labels: ['state'] });
    return mergeFamilies([...this.#latest.values(), this.#retired, own, [states.collect()]]);
  }

  /** What a worker has told, whether it was asked or is about to end. */
  add(worker: MetricsSource, families: readonly MetricFamily[]): void {
    this.#latest.set(worker, families);
  }

  /** The worker has ended: its totals stay, and what it held is gone. */
  retire(worker: MetricsSource): void {
    const totals = (this.#latest.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
    this.#latest.delete(worker);
    this.#retired = mergeFamilies([this.#retired, totals]);
  }
}
