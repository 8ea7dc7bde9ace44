import type { MetricFamily } from './metrics/metrics.ts';
import {
  type CounterTotals,
  counterTotals,
  durationsSince,
  NO_TOTALS,
  openBreakersIn,
  quantile,
  since,
} from './metrics/totals.ts';

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

interface Snapshot {
  readonly at: number;
  readonly totals: CounterTotals;
}

const PERIOD_S = 60;
/** How often the totals should be noted: collecting them takes milliseconds, and asks all workers. */
export const SAMPLE_S = 10;
/** Whoever asks more often gets the same again. */
const KEPT_S = 1;

interface StatusReader {
  /** Notes the totals of this moment, for looks to come. */
  sample(): Promise<void>;
  read(): Promise<Status>;
}

/** The numbers are those since the newest sample that is a minute old, for all who look; before there is one, since the first. */
export function createStatus(
  { collect, isFromStart }: StatusSource,
  now = () => performance.now() / 1000,
): StatusReader {
  let samples: Snapshot[] = isFromStart ? [{ at: now(), totals: NO_TOTALS }] : [];
  let latest: { readonly at: number; readonly status: Promise<Status> } | undefined;

  async function compareNow() {
    const families = await collect();
    const current: Snapshot = { at: now(), totals: counterTotals(families) };
    const base = samples.findLast(({ at }) => current.at - at >= PERIOD_S) ?? samples[0] ?? current;
    return { base, current, families };
  }

  async function read(): Promise<Status> {
    const { base, current, families } = await compareNow();
    if (samples.length === 0) samples.push(current);
    return { ...compare(base, current), openBreakers: openBreakersIn(families) };
  }

  return {
    async sample() {
      const { base, current } = await compareNow();
      samples = [...samples.filter(({ at }) => at >= base.at), current];
    },
    read() {
      const at = now();
      if (latest === undefined || at - latest.at >= KEPT_S) latest = { at, status: read() };
      return latest.status;
    },
  };
}

function compare(before: Snapshot, current: Snapshot): Omit<Status, 'openBreakers'> {
  const { totals } = current;
  const seconds = Math.max(1, current.at - before.at);
  const added = (name: 'operations' | 'restCalls' | 'cacheHits' | 'cacheMisses') =>
    since(totals[name], before.totals[name]);
  const p95 = quantile(0.95, durationsSince(totals, before.totals));
  const reads = added('cacheHits') + added('cacheMisses');
  return {
    seconds: Math.round(seconds),
    operationsPerSecond: round(added('operations') / seconds),
    p95Milliseconds: p95 === undefined ? null : round(p95 * 1000),
    restCallsPerSecond: round(added('restCalls') / seconds),
    cacheHitPercent: reads === 0 ? null : Math.round((100 * added('cacheHits')) / reads),
  };
}

/** To a hundredth below 1, so that one a minute is not 0; to a tenth below 100; else to a whole number. */
function round(value: number): number {
  if (value >= 100) return Math.round(value);
  const parts = value < 1 ? 100 : 10;
  return Math.round(value * parts) / parts;
}
