import type { RestClientStats } from '../../rest/client/client.ts';
import { counter, gauge, histogram, type Metric, type Values } from './metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';

/** The buckets that OpenTelemetry recommends for HTTP durations. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const CALLS = [0, 1, 2, 3, 5, 10, 20, 50];
const KEYS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

const REJECTION_REASONS = [
  'operations',
  'exports',
  'subscriptions',
  'uploads',
  'operation_memory',
  'heap_memory',
  'rest_queue',
  'rest_memory',
] as const;

export type RejectionReason = (typeof REJECTION_REASONS)[number];

const REQUEST = ['http_request_method', 'http_route', 'http_response_status_code', 'error_type'];
/** Omits the address of the service: it is always the same, and readers of `/metrics` must not learn it. */
const CALL = ['http_request_method', 'url_template', 'http_response_status_code', 'error_type'];

/** All metrics have the order of `/metrics`. No label holds text from a caller. */
export function createMetrics(state: () => MeasuredState) {
  const counted = {
    requests: histogram(
      'http_server_request_duration_seconds',
      'Requests, except streams.',
      SECONDS,
      REQUEST,
    ),
    operations: counter('receivables_operations_total', 'GraphQL operations.', 'type', 'outcome'),
    callsPerOperation: histogram('receivables_operation_rest_calls', 'REST calls of an operation.', CALLS),
    responseBytes: counter('receivables_response_bytes_total', 'Bytes of responses before compression.'),
    exportedRows: counter('receivables_exported_rows_total', 'Rows written to exports.', 'format'),
    streamEvents: counter('receivables_stream_events_total', 'Results with data that streams sent.'),
    streamEnds: counter('receivables_stream_ends_total', 'Streams that ended, by reason.', 'reason'),
    cacheHits: counter('receivables_cache_hits_total', 'Reads that came from the cache.', 'cache'),
    cacheMisses: counter('receivables_cache_misses_total', 'Calls that the cache did not save.', 'cache'),
    coalesced: counter('receivables_coalesced_reads_total', 'Reads that joined an equal call in flight.'),
    waits: histogram('receivables_wait_seconds', 'Time that requests waited for a slot.', SECONDS, ['kind']),
    rejections: counter('receivables_shed_total', 'Rejected requests and calls.', 'reason'),
    restCalls: histogram('http_client_request_duration_seconds', 'Attempts of REST calls.', SECONDS, CALL),
    retries: counter('receivables_rest_retries_total', 'REST calls that were sent again after a failure.'),
    restRows: counter('receivables_rest_rows_total', 'Rows that the service sent.'),
    restBytes: counter('receivables_rest_response_bytes_total', 'Bytes that the service sent.'),
    lookupKeys: histogram('receivables_rest_lookup_keys', 'Records that one lookup asks for.', KEYS),
  };
  // Series start at 0: Prometheus sees no increase in a series that begins at 1.
  for (const reason of REJECTION_REASONS) counted.rejections.add(0, reason);
  counted.cacheHits.add(0, 'rest');
  counted.cacheMisses.add(0, 'rest');
  for (const format of ['csv', 'ndjson']) counted.exportedRows.add(0, format);
  for (const reason of ['client', 'complete', 'INTERNAL_SERVER_ERROR']) counted.streamEnds.add(0, reason);
  for (const type of ['query', 'mutation', 'subscription', 'unknown'])
    counted.operations.add(0, type, 'INTERNAL_SERVER_ERROR');
  return { counted, all: [...Object.values(counted), ...stateMetrics(state), ...createProcessMetrics()] };
}

export interface MeasuredState {
  readonly operationsInFlight: number;
  readonly exportsInFlight: number;
  readonly streamsInFlight: number;
  readonly waiting: Values;
  readonly connections: number;
  readonly memory: Values;
  readonly rest: RestClientStats;
  readonly caches: { readonly [cache: string]: { readonly bytes: number; readonly entries: number } };
  readonly sharing: { readonly state: string; readonly counters: Values } | undefined;
}

const BREAKER_VALUES = { closed: 0, 'half-open': 1, open: 2 };

function stateMetrics(state: () => MeasuredState): Metric[] {
  const measureCaches = (unit: 'bytes' | 'entries') => () =>
    Object.fromEntries(Object.entries(state().caches).map(([cache, size]) => [cache, size[unit]]));
  const breakers = () =>
    Object.fromEntries([...state().rest.breakers].map(([endpoint, now]) => [endpoint, BREAKER_VALUES[now]]));
  const connected = () => {
    const { sharing } = state();
    return sharing ? Number(sharing.state === 'connected') : {};
  };
  const commands = () => state().sharing?.counters ?? {};
  return [
    gauge('receivables_operations_in_flight', 'Operations in flight.', () => state().operationsInFlight),
    gauge('receivables_exports_in_flight', 'Exports in flight.', () => state().exportsInFlight),
    gauge('receivables_streams', 'Streams of results in flight.', () => state().streamsInFlight),
    gauge('receivables_requests_waiting', 'Requests that wait for a slot.', () => state().waiting, ['kind']),
    gauge('receivables_connections', 'Open connections of clients.', () => state().connections),
    gauge('receivables_memory_bytes', 'Bytes in use of a budget.', () => state().memory, ['budget']),
    gauge('receivables_rest_calls_in_flight', 'REST calls in flight.', () => state().rest.inFlight),
    gauge('receivables_rest_calls_queued', 'REST calls that wait for a slot.', () => state().rest.queued),
    gauge('receivables_breaker_state', '0 closed, 1 half-open, 2 open.', breakers, ['endpoint']),
    gauge('receivables_cache_bytes', 'Estimated bytes of a cache.', measureCaches('bytes'), ['cache']),
    gauge('receivables_cache_entries', 'Entries of a cache.', measureCaches('entries'), ['cache']),
    gauge('receivables_redis_connected', 'Whether Redis can be used: 1, or 0.', connected),
    gauge('receivables_redis_commands_total', 'Commands to Redis, by outcome.', commands, ['outcome']),
  ];
}
