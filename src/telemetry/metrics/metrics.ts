import { compositeKey } from '../../composite-key.ts';
import { getOrCreate } from '../../memoize.ts';

export interface Metric {
  collect(): MetricFamily;
}

/** A value for each combination of labels, which is counted here. Every label has a small, fixed set of values. */
function createSeries<Value>(names: readonly string[], create: () => Value) {
  const values = new Map<string, { readonly labels: string; readonly value: Value }>();
  const at = (labels: readonly string[]): Value => {
    const key = compositeKey(...labels);
    return getOrCreate(values, key, () => ({ labels: labelsText(names, labels), value: create() })).value;
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
      const samples = series.all().map(({ labels, value }) => ({ name, labels, value: value.total }));
      return { name, help, type: 'counter', merge: 'sum', samples };
    },
  };
}

/** `buckets` are upper bounds, ascending; what is above the last is counted in one without a bound. */
export function histogram(name: string, help: string, buckets: readonly number[], names: string[] = []) {
  const series = createSeries(names, () => ({
    counts: new Array<number>(buckets.length + 1).fill(0),
    sum: 0,
  }));

  function samplesOf({ labels, value: { counts, sum } }: ReturnType<typeof series.all>[number]): Sample[] {
    const prefix = labels === '' ? '' : `${labels},`;
    let value = 0;
    const cumulated = counts.map((inBucket, index) => {
      value += inBucket;
      return { name: `${name}_bucket`, labels: `${prefix}le="${buckets[index] ?? '+Inf'}"`, value };
    });
    return [
      ...cumulated,
      { name: `${name}_sum`, labels, value: sum },
      { name: `${name}_count`, labels, value },
    ];
  }

  return {
    observe(value: number, ...labels: string[]): void {
      const distribution = series.at(labels);
      let index = 0;
      while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
      distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
      distribution.sum += value;
    },
    collect(): MetricFamily {
      const samples = series.all().flatMap(samplesOf);
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
  const { labels = [], merge = 'sum', type = 'gauge' } = options;
  return {
    collect() {
      const reading = read();
      const values = typeof reading === 'number' ? [[[], reading] as const] : reading;
      const samples = values.map(([of, value]) => ({ name, labels: labelsText(labels, [of].flat()), value }));
      return { name, help, type, merge, samples };
    },
  };
}

/** The values of one metric at one moment, as Prometheus names them. Plain data, so that processes can exchange it. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly merge: 'sum' | 'max' | 'min';
  readonly samples: readonly Sample[];
}

interface Sample {
  /** The name of the metric, for a histogram with `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  /** As they are written: `a="b",c="d"`. */
  readonly labels: string;
  readonly value: number;
}

/** Labels as text. Values are escaped as the format requires. */
function labelsText(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeValue(values[index] ?? '')}"`).join(',');
}

function escapeValue(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** Prometheus' text format, version 0.0.4. */
export function exposition(families: readonly MetricFamily[]): string {
  let text = '';
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const sample of samples) {
      const labels = sample.labels === '' ? '' : `{${sample.labels}}`;
      text += `${sample.name}${labels} ${sample.value}\n`;
    }
  }
  return text;
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The metrics of several processes as those of one. */
export function mergeFamilies(processes: readonly (readonly MetricFamily[])[]): MetricFamily[] {
  const merged = new Map<string, MetricFamily>();
  for (const family of processes.flat()) {
    const known = merged.get(family.name);
    merged.set(family.name, known ? mergeTwo(known, family) : family);
  }
  return [...merged.values()];
}

const COMBINE = { sum: (left: number, right: number) => left + right, max: Math.max, min: Math.min };

function mergeTwo(one: MetricFamily, other: MetricFamily): MetricFamily {
  const samples = new Map(one.samples.map((sample) => [keyOf(sample), sample]));
  for (const sample of other.samples) {
    const known = samples.get(keyOf(sample));
    const value = known ? COMBINE[one.merge](known.value, sample.value) : sample.value;
    samples.set(keyOf(sample), { ...sample, value });
  }
  return { ...one, samples: [...samples.values()] };
}

function keyOf({ name, labels }: Sample): string {
  return compositeKey(name, labels);
}
