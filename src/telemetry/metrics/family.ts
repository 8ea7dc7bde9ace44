import { compositeKey } from '../../composite-key.ts';
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
export function labelsText(names: readonly string[], values: readonly string[]): string {
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
