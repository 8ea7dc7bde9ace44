import { type MetricFamily, mergeFamilies } from '../telemetry/metrics/family.ts';
import { Gauge } from '../telemetry/metrics/metrics.ts';

/** A worker that does not answer by then is stuck; the others' metrics are shown without it. */
const ANSWER_MS = 1_000;

/** Gathers the metrics of all workers, since one scrape reaches only one of them. */
export class Collector {
  readonly #pending = new Map<number, Collection>();
  #last = 0;

  /** `ask` sends a worker the id to answer with. */
  collect(workers: readonly { readonly ask: (id: number) => void }[]): Promise<MetricFamily[]> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(mergeFamilies([...answers, [workersGauge(workers.length, answers.length)]]));
      };
      const answers: (readonly MetricFamily[])[] = [];
      const timer = setTimeout(finish, ANSWER_MS);
      this.#pending.set(id, {
        add: (families) => {
          answers.push(families);
          if (answers.length === workers.length) finish();
        },
      });
      for (const { ask } of workers) ask(id);
      if (workers.length === 0) finish();
    });
  }

  add(id: number, families: readonly MetricFamily[]): void {
    this.#pending.get(id)?.add(families);
  }
}

interface Collection {
  add(families: readonly MetricFamily[]): void;
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
