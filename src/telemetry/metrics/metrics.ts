/** The values of one metric at one moment. Plain data, so that processes can exchange it. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one. */
  readonly merge: 'sum' | 'max' | 'min';
  /** By name and labels as Prometheus writes them: `name{a="b",c="d"}`. */
  readonly samples: { readonly [series: string]: number };
}

export interface Metric {
  collect(): MetricFamily;
}

/** A value for each combination of labels, which is counted here. Every label has a small, fixed set of values. */
function createSeries<Value>(names: readonly string[], create: () => Value) {
  const values = new Map<string, { readonly labels: string; readonly value: Value }>();
  const at = (labels: readonly string[]): Value => {
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join('\n');
    let series = values.get(key);
    if (series === undefined) {
      series = { labels: labelsText(names, labels), value: create() };
      values.set(key, series);
    }
    return series.value;
  };
  if (names.length === 0) at([]);
  return { at, all: () => [...values.values()] };
}

export function counter(name: string, help: string, ...names: string[]) {
  const series = createSeries(names, () => ({ total: 0 }));
  return {
    add(amount: number, ...labels: string[]): void {
      series.at(labels).total += amount;
    },
    collect(): MetricFamily {
      const samples = series.all().map(({ labels, value }) => [seriesName(name, labels), value.total]);
      return { name, help, type: 'counter', merge: 'sum', samples: Object.fromEntries(samples) };
    },
  };
}

/** `buckets` are upper bounds, ascending; what is above the last is counted in one without a bound. */
export function histogram(name: string, help: string, buckets: readonly number[], names: string[] = []) {
  const bounds = [...buckets, Number.POSITIVE_INFINITY];
  const series = createSeries(names, () => ({ counts: bounds.map(() => 0), sum: 0 }));
  return {
    observe(value: number, ...labels: string[]): void {
      const distribution = series.at(labels);
      const index = bounds.findIndex((bound) => value <= bound);
      distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
      distribution.sum += value;
    },
    collect(): MetricFamily {
      const samples: Record<string, number> = {};
      for (const { labels, value } of series.all()) {
        let total = 0;
        for (const [index, count] of value.counts.entries()) {
          total += count;
          const bound = `le="${buckets[index] ?? '+Inf'}"`;
          samples[seriesName(`${name}_bucket`, labels ? `${labels},${bound}` : bound)] = total;
        }
        samples[seriesName(`${name}_sum`, labels)] = value.sum;
        samples[seriesName(`${name}_count`, labels)] = total;
      }
      return { name, help, type: 'histogram', merge: 'sum', samples };
    },
  };
}

/** A value, or one for each label or combination of them. */
type Reading = number | readonly (readonly [labels: string | readonly string[], value: number])[];

interface GaugeOptions {
  readonly labels?: readonly string[];
  /** Where a sum over processes would mean nothing. */
  readonly merge?: MetricFamily['merge'];
  /** For a total that is counted elsewhere. */
  readonly type?: 'counter';
}

/** Read when the metrics are. */
export function gauge(name: string, help: string, read: () => Reading, options: GaugeOptions = {}): Metric {
  const { labels: names = [], merge = 'sum', type = 'gauge' } = options;
  return {
    collect() {
      const reading = read();
      const values = typeof reading === 'number' ? [[[], reading] as const] : reading;
      const samples = values.map(([labels, value]) => [
        seriesName(name, labelsText(names, [labels].flat())),
        value,
      ]);
      return { name, help, type, merge, samples: Object.fromEntries(samples) };
    },
  };
}

function seriesName(name: string, labels: string): string {
  return labels === '' ? name : `${name}{${labels}}`;
}

/** Values are escaped as the format requires. */
function labelsText(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}=${JSON.stringify(values[index] ?? '')}`).join(',');
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

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const COMBINE = { sum: (left: number, right: number) => left + right, max: Math.max, min: Math.min };

/** The metrics of several processes as those of one. */
export function mergeFamilies(processes: readonly (readonly MetricFamily[])[]): MetricFamily[] {
  const merged = new Map<string, MetricFamily>();
  for (const family of processes.flat()) {
    const samples = { ...merged.get(family.name)?.samples };
    for (const [series, value] of Object.entries(family.samples)) {
      const known = samples[series];
      samples[series] = known === undefined ? value : COMBINE[family.merge](known, value);
    }
    merged.set(family.name, { ...family, samples });
  }
  return [...merged.values()];
}
