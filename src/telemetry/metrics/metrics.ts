import { compositeKey } from '../../composite-key.ts';

/** Every label has a small, fixed set of values. Should one not, the series beyond this many are counted together. */
const MAX_SERIES = 500;
const OVERFLOW = 'other';

export interface Metric {
  collect(): MetricFamily;
}

interface Description {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A metric that is counted here: a value for each combination of labels. */
abstract class CountedMetric<Value> implements Metric {
  readonly #type: 'counter' | 'histogram';
  readonly #description: Required<Description>;
  readonly #create: () => Value;
  readonly #values = new Map<string, { readonly labels: string; readonly value: Value }>();
  /** Most observations have the same labels as the one before. */
  #last: { readonly labels: readonly string[]; readonly value: Value } | undefined;

  constructor(type: 'counter' | 'histogram', description: Description, create: () => Value) {
    this.#type = type;
    this.#description = { labels: [], ...description };
    this.#create = create;
    if (this.#description.labels.length === 0) this.at([]);
  }

  protected at(labels: readonly string[]): Value {
    if (this.#last !== undefined && areEqual(this.#last.labels, labels)) return this.#last.value;
    const key = compositeKey(...labels);
    const value = this.#values.get(key)?.value ?? this.#add(key, labels);
    this.#last = { labels, value };
    return value;
  }

  #add(key: string, labels: readonly string[]): Value {
    const { labels: names } = this.#description;
    if (this.#values.size >= MAX_SERIES && labels[0] !== OVERFLOW) return this.at(names.map(() => OVERFLOW));
    const value = this.#create();
    this.#values.set(key, { labels: labelsText(names, labels), value });
    return value;
  }

  collect(): MetricFamily {
    const { name, help } = this.#description;
    const samples = [...this.#values.values()].flatMap(({ labels, value }) =>
      this.samples(name, labels, value),
    );
    return { name, help, type: this.#type, merge: 'sum', samples };
  }

  protected abstract samples(name: string, labels: string, value: Value): Sample[];
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return left.length === right.length;
}

export class Counter extends CountedMetric<{ total: number }> {
  constructor(description: Description) {
    super('counter', description, () => ({ total: 0 }));
  }

  add(amount: number, ...labels: string[]): void {
    this.at(labels).total += amount;
  }

  protected samples(name: string, labels: string, { total }: { readonly total: number }): Sample[] {
    return [{ name, labels, value: total }];
  }
}

/** Observations by bucket, the last of which has no bound. */
interface Distribution {
  readonly counts: number[];
  sum: number;
}

export class Histogram extends CountedMetric<Distribution> {
  readonly #buckets: readonly number[];

  /** `buckets` are upper bounds, ascending. */
  constructor(description: Description & { readonly buckets: readonly number[] }) {
    const { buckets } = description;
    super('histogram', description, () => ({ counts: new Array(buckets.length + 1).fill(0), sum: 0 }));
    this.#buckets = buckets;
  }

  observe(value: number, ...labels: string[]): void {
    const distribution = this.at(labels);
    let index = 0;
    while (index < this.#buckets.length && value > (this.#buckets[index] ?? 0)) index += 1;
    distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
    distribution.sum += value;
  }

  protected samples(name: string, labels: string, { counts, sum }: Distribution): Sample[] {
    const prefix = labels === '' ? '' : `${labels},`;
    let count = 0;
    const buckets = counts.map((inBucket, index) => {
      count += inBucket;
      const bound = this.#buckets[index] ?? '+Inf';
      return { name: `${name}_bucket`, labels: `${prefix}le="${bound}"`, value: count };
    });
    return [
      ...buckets,
      { name: `${name}_sum`, labels, value: sum },
      { name: `${name}_count`, labels, value: count },
    ];
  }
}

/** A value, or one for each combination of labels. */
export type Reading = number | readonly (readonly [labels: readonly string[], value: number])[];

interface GaugeDescription extends Description {
  /** Where a sum over processes would mean nothing. */
  readonly merge?: MetricFamily['merge'];
  /** For a total that is counted elsewhere. */
  readonly type?: 'counter';
  /** Read when the metrics are. */
  readonly read: () => Reading;
}

export class Gauge implements Metric {
  readonly #description: GaugeDescription;

  constructor(description: GaugeDescription) {
    this.#description = description;
  }

  collect(): MetricFamily {
    const { name, help, labels = [], merge = 'sum', type = 'gauge', read } = this.#description;
    const reading = read();
    const values = typeof reading === 'number' ? [[[], reading] as const] : reading;
    const samples = values.map(([of, value]) => ({ name, labels: labelsText(labels, of), value }));
    return { name, help, type, merge, samples };
  }
}

/** A gauge as a line of a table. */
export function gauge(
  name: string,
  help: string,
  read: () => Reading,
  options?: Pick<GaugeDescription, 'labels' | 'merge' | 'type'>,
): Metric {
  return new Gauge({ name, help, read, ...options });
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
