import type { BreakerState } from '../../rest/client/breaker.ts';
import type { RestClientStats } from '../../rest/client/client.ts';
import type { SharingCounters, SharingState } from '../../sharing/events.ts';
import { Gauge, type Metric } from './metrics.ts';

/** Values that are read where they are kept, when the metrics are. */
export interface MeasuredState {
  readonly operationsInFlight: number;
  readonly exportsInFlight: number;
  readonly connections: number;
  /** Bytes that are counted in each budget of memory. */
  readonly memory: { readonly [budget: string]: number };
  readonly rest: RestClientStats;
  /** Bytes and entries by cache. */
  readonly caches: { readonly [cache: string]: { readonly bytes: number; readonly entries: number } };
  readonly logLinesDropped: number;
  /** If replicas share a Redis. */
  readonly sharing: { readonly state: SharingState; readonly counters: SharingCounters } | undefined;
}

const BREAKER_VALUES: { readonly [state in BreakerState]: number } = { closed: 0, 'half-open': 1, open: 2 };

/** Metrics that are read where their values are kept. */
export function stateMetrics(state: () => MeasuredState): Metric[] {
  const caches = (member: 'bytes' | 'entries') =>
    Object.entries(state().caches).map(([cache, sizes]) => [[cache], sizes[member]] as const);
  return [
    new Gauge({
      name: 'receivables_operations_in_flight',
      help: 'Operations in flight.',
      read: () => state().operationsInFlight,
    }),
    new Gauge({
      name: 'receivables_exports_in_flight',
      help: 'Exports in flight.',
      read: () => state().exportsInFlight,
    }),
    new Gauge({
      name: 'receivables_connections',
      help: 'Open connections of clients.',
      read: () => state().connections,
    }),
    new Gauge({
      name: 'receivables_memory_bytes',
      help: 'What is held of a memory budget.',
      labels: ['budget'],
      read: () => Object.entries(state().memory).map(([budget, bytes]) => [[budget], bytes] as const),
    }),
    new Gauge({
      name: 'receivables_rest_calls_in_flight',
      help: 'REST calls in flight.',
      read: () => state().rest.inFlight,
    }),
    new Gauge({
      name: 'receivables_rest_calls_queued',
      help: 'REST calls that wait for a slot.',
      read: () => state().rest.queued,
    }),
    new Gauge({
      name: 'receivables_breaker_state',
      help: 'Circuit breaker of an endpoint: 0 closed, 1 half-open, 2 open, for one caller or for all.',
      labels: ['endpoint'],
      merge: 'max',
      read: () =>
        Array.from(
          state().rest.breakers,
          ([endpoint, value]) => [[endpoint], BREAKER_VALUES[value]] as const,
        ),
    }),
    new Gauge({
      name: 'receivables_cache_bytes',
      help: 'Estimated bytes of a cache.',
      labels: ['cache'],
      read: () => caches('bytes'),
    }),
    new Gauge({
      name: 'receivables_cache_entries',
      help: 'Entries of a cache.',
      labels: ['cache'],
      read: () => caches('entries'),
    }),
    new Gauge({
      name: 'receivables_redis_connected',
      help: 'Whether the Redis that replicas share can be used: 1, or 0.',
      merge: 'min',
      read: () => {
        const { sharing } = state();
        return sharing === undefined ? [] : [[[], sharing.state === 'connected' ? 1 : 0]];
      },
    }),
    new Gauge({
      name: 'receivables_redis_commands_total',
      help: 'Commands to Redis: sent, of those failed and timed out, and not sent because Redis was lost.',
      labels: ['outcome'],
      type: 'counter',
      read: () => {
        const { commands, failures, timeouts, skipped } = state().sharing?.counters ?? {};
        if (commands === undefined) return [];
        return [
          [['sent'], commands],
          [['failed'], failures ?? 0],
          [['timed_out'], timeouts ?? 0],
          [['skipped'], skipped ?? 0],
        ];
      },
    }),
    logLinesDropped(() => state().logLinesDropped),
  ];
}

export function logLinesDropped(read: () => number): Metric {
  return new Gauge({
    name: 'receivables_log_lines_dropped_total',
    help: 'Log lines that were dropped because nobody read them.',
    type: 'counter',
    read,
  });
}
