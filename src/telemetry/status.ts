import type { MetricFamily } from './metrics/metrics.ts';

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

const OPERATIONS = 'receivables_operations_total';
const REST_CALLS = 'http_client_request_duration_seconds_count';
const CACHE_HITS = 'receivables_cache_hits_total';
const CACHE_MISSES = 'receivables_cache_misses_total';
const COUNTED = [OPERATIONS, REST_CALLS, CACHE_HITS, CACHE_MISSES];

/** Totals by name; and of operations by the seconds that they took at most, which are the bounds of the histogram. */
function snapshotOf(families: readonly MetricFamily[], at: number) {
  const totals = new Map<string | number, number>();
  const openBreakers: string[] = [];
  const add = (key: string | number, value: number) => totals.set(key, (totals.get(key) ?? 0) + value);
  for (const { name, labels, value } of families.flatMap(({ samples }) => samples)) {
    if (COUNTED.includes(name)) add(name, value);
    else if (name === 'http_server_request_duration_seconds_bucket' && isOfOperation(labels))
      add(Number(labelValue(labels, 'le').replace('+Inf', 'Infinity')), value);
    else if (name === 'receivables_breaker_state' && value > 0)
      openBreakers.push(labelValue(labels, 'endpoint'));
  }
  return { at, totals, openBreakers };
}

/** A preflight is a request to the same route, and takes next to no time. */
function isOfOperation(labels: string): boolean {
  return (
    labelValue(labels, 'http_route') === '/graphql' && labelValue(labels, 'http_request_method') !== 'OPTIONS'
  );
}

/** The values that are looked for hold nothing that the format escapes. */
function labelValue(labels: string, name: string): string {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}

type Snapshot = ReturnType<typeof snapshotOf>;

function compare(before: Snapshot, { at, totals, openBreakers }: Snapshot): Status {
  const seconds = Math.max(1, at - before.at);
  // Where a process among several has gone, totals become smaller.
  const added = (key: string | number) => Math.max(0, (totals.get(key) ?? 0) - (before.totals.get(key) ?? 0));
  const bounds = [...totals.keys()]
    .filter((key) => typeof key === 'number')
    .sort((one, other) => one - other);
  const p95 = quantile(
    0.95,
    bounds.map((bound) => [bound, added(bound)]),
  );
  const reads = added(CACHE_HITS) + added(CACHE_MISSES);
  return {
    seconds: Math.round(seconds),
    operationsPerSecond: round(added(OPERATIONS) / seconds),
    p95Milliseconds: p95 === undefined ? null : round(p95 * 1000),
    restCallsPerSecond: round(added(REST_CALLS) / seconds),
    cacheHitPercent: reads === 0 ? null : Math.round((100 * added(CACHE_HITS)) / reads),
    openBreakers,
  };
}

/** To a hundredth below 1, so that one a minute is not 0; to a tenth below 100; else to a whole number. */
function round(value: number): number {
  if (value >= 100) return Math.round(value);
  const parts = value < 1 ? 100 : 10;
  return Math.round(value * parts) / parts;
}

/** As Prometheus' `histogram_quantile` estimates it: evenly spread in a bucket. Undefined if nothing was counted. */
export function quantile(
  share: number,
  buckets: readonly (readonly [seconds: number, count: number])[],
): number | undefined {
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
