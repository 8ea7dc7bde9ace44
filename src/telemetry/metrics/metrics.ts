import { compositeKey } from '../../composite-key.ts';

/** Every label has a small, fixed set of values. Should one not, the series beyond this many are counted together. */
const MAX_SERIES = 500;
const OVERFLOW = 'other';

interface Description {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** The values of a metric for each combination of labels. */
class Series<Value> {
  readonly #labelNames: readonly string[];
  readonly #create: () => Value;
  readonly #values = new Map<string, { readonly labels: string; readonly value: Value }>();
  /** Most observations have the same labels as the one before. */
  #last: { readonly labels: readonly string[]; readonly value: Value } | undefined;

  constructor(labelNames: readonly string[], create: () => Value) {
    this.#labelNames = labelNames;
    this.#create = create;
    if (labelNames.length === 0) this.at([]);
  }

  at(labels: readonly string[]): Value {
    if (this.#last !== undefined && areEqual(this.#last.labels, labels)) return this.#last.value;
    const key = compositeKey(...labels);
    const value = this.#values.get(key)?.value ?? this.#add(key, labels);
    this.#last = { labels, value };
    return value;
  }

  #add(key: string, labels: readonly string[]): Value {
    if (this.#values.size >= MAX_SERIES && labels[0] !== OVERFLOW)
      return this.at(this.#labelNames.map(() => OVERFLOW));
    const value = this.#create();
    this.#values.set(key, { labels: labelsText(this.#labelNames, labels), value });
    return value;
  }

  values() {
    return this.#values.values();
  }
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return left.length === right.length;
}

export interface Metric {
  collect(): MetricFamily;
}

export class Counter implements Metric {
  readonly #description: Description;
  readonly #series: Series<{ total: number }>;

  constructor(description: Description) {
    this.#description = description;
    this.#series = new Series(description.labels ?? [], () => ({ total: 0 }));
  }

  add(amount: number, ...labels: string[]): void {
    this.#series.at(labels).total += amount;
  }

  collect(): MetricFamily {
    const { name, help } = this.#description;
    const samples = Array.from(this.#series.values(), ({ labels, value }) => ({
      name,
      labels,
      value: value.total,
    }));
    return { name, help, type: 'counter', merge: 'sum', samples };
  }
}

interface HistogramDescription extends Description {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

export class Histogram implements Metric {
  readonly #description: HistogramDescription;
  readonly #series: Series<Distribution>;

  constructor(description: HistogramDescription) {
    this.#description = description;
    const { labels = [], buckets } = description;
    this.#series = new Series(labels, () => new Distribution(buckets));
  }

  observe(value: number, ...labels: string[]): void {
    this.#series.at(labels).observe(value);
  }

  collect(): MetricFamily {
    const { name, help } = this.#description;
    const samples = Array.from(this.#series.values(), ({ labels, value }) =>
      value.samples(name, labels),
    ).flat();
    return { name, help, type: 'histogram', merge: 'sum', samples };
  }
}

/** The observations of one series, counted by bucket. */
class Distribution {
  readonly #buckets: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.#counts = [...buckets, Number.POSITIVE_INFINITY].map(() => 0);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.#buckets.length && value > (this.#buckets[index] ?? 0)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  samples(name: string, labels: string): Sample[] {
    const prefix = labels === '' ? '' : `${labels},`;
    const samples: Sample[] = [];
    let count = 0;
    for (const [index, inBucket] of this.#counts.entries()) {
      count += inBucket;
      const bound = this.#buckets[index] ?? '+Inf';
      samples.push({ name: `${name}_bucket`, labels: `${prefix}le="${bound}"`, value: count });
    }
    samples.push(
      { name: `${name}_sum`, labels, value: this.#sum },
      { name: `${name}_count`, labels, value: count },
    );
    return samples;
  }
}

interface GaugeDescription extends Description {
  /** Where a sum over processes would mean nothing. */
  readonly merge?: MetricFamily['merge'];
  /** Read when the metrics are: a value, or one for each combination of labels. */
  readonly read: () => number | Iterable<readonly [labels: readonly string[], value: number]>;
}

export class Gauge implements Metric {
  readonly #description: GaugeDescription & { readonly type?: 'counter' };

  /** With `type: 'counter'`, for a total that is counted elsewhere. */
  constructor(description: GaugeDescription & { readonly type?: 'counter' }) {
    this.#description = description;
  }

  collect(): MetricFamily {
    const { name, help, labels = [], merge = 'sum', type = 'gauge', read } = this.#description;
    const values = read();
    const samples =
      typeof values === 'number'
        ? [{ name, labels: '', value: values }]
        : Array.from(values, ([of, value]) => ({ name, labels: labelsText(labels, of), value }));
    return { name, help, type, merge, samples };
  }
}

/** The values of one metric at one moment, as Prometheus names them. Plain data, so that processes can exchange it. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one. */
  readonly merge: 'sum' | 'max' | 'min';
  readonly samples: readonly Sample[];
}

export interface Sample {
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
  const merged = new Map<string, { family: MetricFamily; samples: Map<string, Sample> }>();
  for (const family of processes.flat()) {
    let entry = merged.get(family.name);
    if (entry === undefined) {
      entry = { family, samples: new Map() };
      merged.set(family.name, entry);
    }
    const { samples } = entry;
    for (const sample of family.samples) {
      const key = compositeKey(sample.name, sample.labels);
      const before = samples.get(key);
      samples.set(
        key,
        before === undefined ? sample : { ...sample, value: combine(family, before.value, sample.value) },
      );
    }
  }
  return Array.from(merged.values(), ({ family, samples }) => ({
    ...family,
    samples: [...samples.values()],
  }));
}

function combine({ merge }: MetricFamily, left: number, right: number): number {
  if (merge === 'sum') return left + right;
  return merge === 'max' ? Math.max(left, right) : Math.min(left, right);
}
