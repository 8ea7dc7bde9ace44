import type { RestClientStats } from '../../rest/client/client.ts';
import type { SharingCounters, SharingState } from '../../sharing/redis.ts';
import { gauge, type Metric } from './metrics.ts';

/** Values that are read where they are kept, when the metrics are. */
export interface MeasuredState {
  readonly operationsInFlight: number;
  readonly exportsInFlight: number;
  readonly connections: number;
  readonly memory: { readonly [budget: string]: number };
  readonly rest: RestClientStats;
  readonly caches: { readonly [cache: string]: { readonly bytes: number; readonly entries: number } };
  readonly logLinesDropped: number;
  readonly sharing: { readonly state: SharingState; readonly counters: SharingCounters } | undefined;
}

export function stateMetrics(state: () => MeasuredState): Metric[] {
  const memory = () => Object.entries(state().memory);
  const ofCaches = (unit: 'bytes' | 'entries') => () =>
    Object.entries(state().caches).map(([cache, size]) => [cache, size[unit]] as const);
  const breakers = () =>
    Array.from(state().rest.breakers, ([endpoint, state]) => [endpoint, BREAKER_VALUES[state]] as const);
  const connected = () => {
    const { sharing } = state();
    return sharing ? Number(sharing.state === 'connected') : [];
  };
  const commands = () => {
    const { sharing } = state();
    if (!sharing) return [];
    const { commands: sent, failures: failed, timeouts: timed_out, skipped } = sharing.counters;
    return Object.entries({ sent, failed, timed_out, skipped });
  };
  return [
    gauge('receivables_operations_in_flight', 'Operations in flight.', () => state().operationsInFlight),
    gauge('receivables_exports_in_flight', 'Exports in flight.', () => state().exportsInFlight),
    gauge('receivables_connections', 'Open connections of clients.', () => state().connections),
    gauge('receivables_memory_bytes', 'What is held of a memory budget.', memory, { labels: ['budget'] }),
    gauge('receivables_rest_calls_in_flight', 'REST calls in flight.', () => state().rest.inFlight),
    gauge('receivables_rest_calls_queued', 'REST calls that wait for a slot.', () => state().rest.queued),
    gauge('receivables_breaker_state', 'Circuit breakers: 0 closed, 1 half-open, 2 open.', breakers, {
      labels: ['endpoint'],
      merge: 'max',
    }),
    gauge('receivables_cache_bytes', 'Estimated bytes of a cache.', ofCaches('bytes'), { labels: ['cache'] }),
    gauge('receivables_cache_entries', 'Entries of a cache.', ofCaches('entries'), { labels: ['cache'] }),
    gauge('receivables_redis_connected', 'Whether Redis can be used: 1, or 0.', connected, { merge: 'min' }),
    gauge('receivables_redis_commands_total', 'Commands to Redis, by what came of them.', commands, {
      labels: ['outcome'],
      type: 'counter',
    }),
    logLinesDropped(() => state().logLinesDropped),
  ];
}

const BREAKER_VALUES = { closed: 0, 'half-open': 1, open: 2 };

export function logLinesDropped(read: () => number): Metric {
  const help = 'Log lines that were dropped because nobody read them.';
  return gauge('receivables_log_lines_dropped_total', help, read, { type: 'counter' });
}
