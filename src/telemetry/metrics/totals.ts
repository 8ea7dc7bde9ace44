import type { MetricFamily, Sample } from './metrics.ts';

/** What the counters have come to, as far as the status needs them. */
export interface CounterTotals {
  readonly operations: number;
  readonly restCalls: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  /** How many operations took at most so many seconds, by the bounds of the histogram in ascending order. */
  readonly durations: readonly (readonly [seconds: number, count: number])[];
}

export const NO_TOTALS: CounterTotals = {
  operations: 0,
  restCalls: 0,
  cacheHits: 0,
  cacheMisses: 0,
  durations: [],
};

export function counterTotals(families: readonly MetricFamily[]): CounterTotals {
  const samplesOf = (name: string) => families.find((family) => family.name === name)?.samples ?? [];
  // A preflight is a request to the same route, and takes next to no time.
  const isOperation = ({ labels }: Sample) =>
    labelValue(labels, 'http_route') === '/graphql' &&
    labelValue(labels, 'http_request_method') !== 'OPTIONS';
  return {
    operations: sum(samplesOf('receivables_operations_total')),
    restCalls: sum(
      samplesOf('http_client_request_duration_seconds').filter(({ name }) => name.endsWith('_count')),
    ),
    cacheHits: sum(samplesOf('receivables_cache_hits_total')),
    cacheMisses: sum(samplesOf('receivables_cache_misses_total')),
    durations: bucketsOf(samplesOf('http_server_request_duration_seconds').filter(isOperation)),
  };
}

/** What was counted since, by the same bounds. */
export function durationsSince(now: CounterTotals, before: CounterTotals): CounterTotals['durations'] {
  const counts = new Map(before.durations);
  return now.durations.map(([bound, count]) => [bound, since(count, counts.get(bound) ?? 0)]);
}

/** Where a process among several has gone, totals become smaller. */
export function since(now: number, before: number): number {
  return Math.max(0, now - before);
}

/**
 * As Prometheus' `histogram_quantile` estimates it: evenly spread within a bucket, and beyond the last bound that bound.
 * Undefined if nothing was counted.
 */
export function quantile(share: number, buckets: CounterTotals['durations']): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const rank = share * total;
  let lower = 0;
  let below = 0;
  for (const [bound, count] of buckets) {
    if (bound === Number.POSITIVE_INFINITY) break;
    if (count >= rank) return lower + ((bound - lower) * (rank - below)) / (count - below);
    lower = bound;
    below = count;
  }
  return lower;
}

export function openBreakersIn(families: readonly MetricFamily[]): string[] {
  const states = families.find(({ name }) => name === 'receivables_breaker_state')?.samples ?? [];
  return states.filter(({ value }) => value > 0).map(({ labels }) => labelValue(labels, 'endpoint') ?? '');
}

function bucketsOf(samples: readonly Sample[]): CounterTotals['durations'] {
  const counts = new Map<number, number>();
  for (const { name, labels, value } of samples) {
    if (!name.endsWith('_bucket')) continue;
    const text = labelValue(labels, 'le');
    const bound = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  return [...counts].sort(([left], [right]) => left - right);
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0);
}

/** The values that are looked for hold nothing that the format escapes. */
function labelValue(labels: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
}
