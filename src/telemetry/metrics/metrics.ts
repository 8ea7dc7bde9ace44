import { getOrCreate } from '../../memoize.ts';

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** By name and labels as Prometheus writes them: `name{a="b",c="d"}`. */
  readonly samples: { readonly [series: string]: number };
}

export interface Metric {
  collect(): MetricFamily;
}

/** Values by those of their labels, joined by newlines. Labels have few values, none from a caller. */
export type Values = { readonly [labels: string]: number };

/** Reads its values on demand. A name that ends in `_total` makes it a counter. */
export function gauge(
  name: string,
  help: string,
  read: () => number | Values,
  labels: readonly string[] = [],
): Metric {
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  return {
    collect() {
      const reading = read();
      const values = Object.entries(typeof reading === 'number' ? { '': reading } : reading);
      const samples = values.map(([key, value]) => [formatSeries(name, labels, key), value]);
      return { name, help, type, samples: Object.fromEntries(samples) };
    },
  };
}

export function counter(name: string, help: string, ...labels: string[]) {
  const totals = new Map<string, number>(labels.length === 0 ? [['', 0]] : []);
  return {
    ...gauge(name, help, () => Object.fromEntries(totals), labels),
    add(amount: number, ...values: string[]): void {
      const key = values.join('\n');
      totals.set(key, (totals.get(key) ?? 0) + amount);
    },
  };
}

/** `buckets` are ascending upper bounds. A last bucket without a bound is added. */
export function histogram(name: string, help: string, buckets: readonly number[], labels: string[] = []) {
  const bounds = [...buckets, Number.POSITIVE_INFINITY];
  const create = () => ({ counts: bounds.map(() => 0), sum: 0 });
  const distributions = new Map<string, ReturnType<typeof create>>();
  if (labels.length === 0) distributions.set('', create());
  return {
    observe(value: number, ...values: string[]): void {
      const distribution = getOrCreate(distributions, values.join('\n'), create);
      const index = bounds.findIndex((bound) => value <= bound);
      distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
      distribution.sum += value;
    },
    collect(): MetricFamily {
      const samples: Record<string, number> = {};
      for (const [key, { counts, sum }] of distributions) {
        let total = 0;
        for (const [index, count] of counts.entries()) {
          total += count;
          const bound = buckets[index] ?? '+Inf';
          samples[formatSeries(`${name}_bucket`, ['le', ...labels], `${bound}\n${key}`)] = total;
        }
        samples[formatSeries(`${name}_sum`, labels, key)] = sum;
        samples[formatSeries(`${name}_count`, labels, key)] = total;
      }
      return { name, help, type: 'histogram', samples };
    },
  };
}

function formatSeries(name: string, labels: readonly string[], key: string): string {
  const values = key.split('\n');
  const pairs = labels.map((label, index) => `${label}=${JSON.stringify(values[index] ?? '')}`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}

/** Prometheus' text format, version 0.0.4. */
export function exposition(families: readonly MetricFamily[]): string {
  let text = '';
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const [series, value] of Object.entries(samples)) text += `${series} ${value}\n`;
  }
  return text;
}
