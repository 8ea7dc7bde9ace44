import type { MetricFamily } from './metrics/family.ts';
import {
  durationsSince,
  NO_TOTALS,
  openBreakersIn,
  quantile,
  since,
  type Totals,
  totalsOf,
} from './metrics/totals.ts';

/** How the gateway has been doing, in a few numbers that are rounded for people. */
export interface Status {
  /** How long ago the numbers begin: a minute, once somebody has been looking for so long. */
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

export interface MetricsSource {
  readonly collect: () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;
  /** Whether all that was counted was so since this process started: not where others count too. */
  readonly isFromStart: boolean;
}

interface Snapshot {
  readonly at: number;
  readonly totals: Totals;
}

const PERIOD_S = 60;
/** Numbers over less would jump, so snapshots are this far apart. */
const GAP_S = 4;
/** Whoever asks more often gets the same again. */
const KEPT_S = 1;

/**
 * Nothing is measured while nobody looks: each look leaves a snapshot of the totals behind, and the numbers are those
 * since the oldest one of the last minute. After a pause that is the last one before the pause, or the start.
 */
export function createStatus(
  { collect, isFromStart }: MetricsSource,
  now = () => performance.now() / 1000,
): () => Promise<Status> {
  let snapshots: Snapshot[] = isFromStart ? [{ at: now(), totals: NO_TOTALS }] : [];
  let latest: { readonly at: number; readonly status: Promise<Status> } | undefined;

  async function read(): Promise<Status> {
    const families = await collect();
    const current = { at: now(), totals: totalsOf(families) };
    const age = ({ at }: Snapshot) => current.at - at;
    const apart = snapshots.filter((snapshot) => age(snapshot) >= GAP_S);
    const recent = apart.find((snapshot) => age(snapshot) <= PERIOD_S) ?? apart.at(-1);
    const base = recent ?? snapshots[0] ?? current;
    if (apart.length === snapshots.length) snapshots.push(current);
    snapshots = snapshots.filter(({ at }) => at >= base.at);
    return { ...compare(base, current), openBreakers: openBreakersIn(families) };
  }

  return () => {
    const at = now();
    if (latest === undefined || at - latest.at >= KEPT_S) latest = { at, status: read() };
    return latest.status;
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

/** To a tenth, and what is 100 or more to a whole number. */
function round(value: number): number {
  return value < 100 ? Math.round(value * 10) / 10 : Math.round(value);
}
