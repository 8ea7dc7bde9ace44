import type { MetricFamily, Sample } from './metrics/metrics.ts';

/** How the gateway has been doing, in a few numbers that are rounded for people. */
export interface Status {
  /** How long ago the numbers begin: a minute or a few seconds more; less right after the start. */
  readonly seconds: number;
  readonly operationsPerSecond: number;
  /** What 95 of 100 operations took at most; null without any. */
  readonly p95Milliseconds: number | null;
  readonly restCallsPerSecond: number;
  /** Of all reads, those that needed no REST call; null without any. */
  readonly cacheHitPercent: number | null;
  /** Endpoints that a circuit breaker holds back. */
  readonly openBreakers: readonly string[];
}

export interface StatusSource {
  readonly collect: () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;
  /** Whether all that was counted was so since this process started: not where others count too. */
  readonly isFromStart: boolean;
}

const PERIOD_S = 60;
/** How often the totals should be noted: collecting them takes milliseconds, and asks all workers. */
export const SAMPLE_S = 10;
/** Whoever asks more often gets the same again. */
const KEPT_S = 1;

/** The numbers are those since the newest sample that is a minute old, for all who look; before there is one, since the first. */
export function createStatus({ collect, isFromStart }: StatusSource, now = () => performance.now() / 1000) {
  let samples = isFromStart ? [snapshotOf([], now())] : [];
  let latest: { readonly at: number; readonly status: Promise<Status> } | undefined;

  async function compareNow() {
    const current = snapshotOf(await collect(), now());
    const base = samples.findLast(({ at }) => current.at - at >= PERIOD_S) ?? samples[0] ?? current;
    return { base, current };
  }

  async function read(): Promise<Status> {
    const { base, current } = await compareNow();
    if (samples.length === 0) samples.push(current);
    return compare(base, current);
  }

  return {
    /** Notes the totals of this moment, for looks to come. */
    async sample(): Promise<void> {
      const { base, current } = await compareNow();
      samples = [...samples.filter(({ at }) => at >= base.at), current];
    },
    read(): Promise<Status> {
      const at = now();
      if (latest === undefined || at - latest.at >= KEPT_S) latest = { at, status: read() };
      return latest.status;
    },
  };
}

function snapshotOf(families: readonly MetricFamily[], at: number) {
  const open = samplesOf(families, 'receivables_breaker_state').filter(({ value }) => value > 0);
  const openBreakers = open.map(({ labels }) => labelValue(labels, 'endpoint') ?? '');
  return { at, totals: counterTotals(families), openBreakers };
}

type Snapshot = ReturnType<typeof snapshotOf>;

function compare(before: Snapshot, { at, totals, openBreakers }: Snapshot): Status {
  const seconds = Math.max(1, at - before.at);
  const added = (name: 'operations' | 'restCalls' | 'cacheHits' | 'cacheMisses') =>
    since(totals[name], before.totals[name]);
  const p95 = quantile(0.95, durationsSince(totals.durations, before.totals.durations));
  const reads = added('cacheHits') + added('cacheMisses');
  return {
    seconds: Math.round(seconds),
    operationsPerSecond: round(added('operations') / seconds),
    p95Milliseconds: p95 === undefined ? null : round(p95 * 1000),
    restCallsPerSecond: round(added('restCalls') / seconds),
    cacheHitPercent: reads === 0 ? null : Math.round((100 * added('cacheHits')) / reads),
    openBreakers,
  };
}

/** To a hundredth below 1, so that one a minute is not 0; to a tenth below 100; else to a whole number. */
function round(value: number): number {
  if (value >= 100) return Math.round(value);
  const parts = value < 1 ? 100 : 10;
  return Math.round(value * parts) / parts;
}

export function counterTotals(families: readonly MetricFamily[]) {
  const sumOf = (name: string, suffix = '') =>
    samplesOf(families, name).reduce((sum, each) => sum + (each.name.endsWith(suffix) ? each.value : 0), 0);
  // A preflight is a request to the same route, and takes next to no time.
  const isOperation = ({ labels }: Sample) =>
    labelValue(labels, 'http_route') === '/graphql' &&
    labelValue(labels, 'http_request_method') !== 'OPTIONS';
  const requests = samplesOf(families, 'http_server_request_duration_seconds');
  return {
    operations: sumOf('receivables_operations_total'),
    restCalls: sumOf('http_client_request_duration_seconds', '_count'),
    cacheHits: sumOf('receivables_cache_hits_total'),
    cacheMisses: sumOf('receivables_cache_misses_total'),
    durations: bucketsOf(requests.filter(isOperation)),
  };
}

/** How many operations took at most so many seconds, by the bounds of the histogram in ascending order. */
type Durations = readonly (readonly [seconds: number, count: number])[];

function samplesOf(families: readonly MetricFamily[], name: string): readonly Sample[] {
  return families.find((family) => family.name === name)?.samples ?? [];
}

export function durationsSince(now: Durations, before: Durations): Durations {
  const counts = new Map(before);
  return now.map(([bound, count]) => [bound, since(count, counts.get(bound) ?? 0)]);
}

/** Where a process among several has gone, totals become smaller. */
export function since(now: number, before: number): number {
  return Math.max(0, now - before);
}

/** As Prometheus' `histogram_quantile` estimates it: evenly spread in a bucket. Undefined if nothing was counted. */
export function quantile(share: number, buckets: Durations): number | undefined {
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

function bucketsOf(samples: readonly Sample[]): Durations {
  const counts = new Map<number, number>();
  for (const { name, labels, value } of samples) {
    if (!name.endsWith('_bucket')) continue;
    const text = labelValue(labels, 'le');
    const bound = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  return [...counts].sort(([left], [right]) => left - right);
}

/** The values that are looked for hold nothing that the format escapes. */
function labelValue(labels: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
}
