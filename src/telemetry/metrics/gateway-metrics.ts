import type { CallFault } from '../../rest/call-fault.ts';
import type { Observation } from '../observation.ts';
import type { RequestEnd } from '../operation-log.ts';
import { Counter, Gauge, Histogram, type Metric } from './metrics.ts';
import { type MeasuredState, stateMetrics } from './state-metrics.ts';

/** The buckets that OpenTelemetry recommends for HTTP durations. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const SHED_REASONS = [
  'operations',
  'exports',
  'subscriptions',
  'uploads',
  'operation_memory',
  'rest_queue',
  'rest_memory',
] as const;

/** Why something was rejected to protect the rest. */
export type ShedReason = (typeof SHED_REASONS)[number];

/**
 * The metrics of the gateway. HTTP durations have the names of OpenTelemetry's conventions, all others begin with
 * `receivables_`. No label holds text of a caller.
 */
export class GatewayMetrics {
  readonly requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Requests, until their response was sent; without a status, those whose client left before.',
    labels: ['http_request_method', 'http_route', 'http_response_status_code', 'error_type'],
    buckets: SECONDS,
  });
  readonly #operations = new Counter({
    name: 'receivables_operations_total',
    help: 'GraphQL operations, by type and by the code of their first error.',
    labels: ['type', 'outcome'],
  });
  readonly #callsPerOperation = new Histogram({
    name: 'receivables_operation_rest_calls',
    help: 'REST calls that an operation took.',
    buckets: [0, 1, 2, 3, 5, 10, 20, 50],
  });
  readonly #responseBytes = new Counter({
    name: 'receivables_response_bytes_total',
    help: 'Bytes of responses to operations, before compression.',
  });
  readonly #exportedRows = new Counter({
    name: 'receivables_exported_rows_total',
    help: 'Rows of exports that were written.',
    labels: ['format'],
  });
  #streamsInFlight = 0;
  readonly #streams = new Gauge({
    name: 'receivables_streams',
    help: 'Streams of results in flight.',
    read: () => this.#streamsInFlight,
  });
  readonly #streamEvents = new Counter({
    name: 'receivables_stream_events_total',
    help: 'Results with data that streams have told.',
  });
  readonly #streamEnds = new Counter({
    name: 'receivables_stream_ends_total',
    help: 'Streams that have ended, by what has ended them.',
    labels: ['reason'],
  });
  readonly #cacheHits = new Counter({
    name: 'receivables_cache_hits_total',
    help: 'Reads, or whole responses, that came from the cache.',
    labels: ['cache'],
  });
  readonly #cacheMisses = new Counter({
    name: 'receivables_cache_misses_total',
    help: 'REST calls that operations sent because nothing cached would do.',
    labels: ['cache'],
  });
  readonly #coalesced = new Counter({
    name: 'receivables_coalesced_reads_total',
    help: 'Reads that joined an equal call in flight.',
  });
  readonly #shed = new Counter({
    name: 'receivables_shed_total',
    help: 'Requests and calls that were rejected to protect the rest, by what was short.',
    labels: ['reason'],
  });
  /** Without the address of the service: there is one, and callers who see `/metrics` must not learn it. */
  readonly #restCalls = new Histogram({
    name: 'http_client_request_duration_seconds',
    help: 'REST calls, each attempt on its own, from the first byte sent to the last byte read.',
    labels: ['http_request_method', 'url_template', 'http_response_status_code', 'error_type'],
    buckets: SECONDS,
  });
  readonly #retries = new Counter({
    name: 'receivables_rest_retries_total',
    help: 'REST calls that were sent again after a failure.',
  });
  readonly #restRows = new Counter({
    name: 'receivables_rest_rows_total',
    help: 'Rows that the service sent.',
  });
  readonly #restBytes = new Counter({
    name: 'receivables_rest_response_bytes_total',
    help: 'Bytes that the service sent.',
  });
  readonly #batches = new Histogram({
    name: 'receivables_rest_lookup_keys',
    help: 'Records that one lookup asks for.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  });
  readonly #gauges: readonly Metric[];
  readonly #endpoints = new Map<string, readonly [method: string, template: string]>();

  constructor(state: () => MeasuredState) {
    this.#gauges = stateMetrics(state);
    // What is watched has to be there before it happens: Prometheus sees no increase in a series that begins at 1.
    for (const reason of SHED_REASONS) this.#shed.add(0, reason);
    for (const cache of ['rest', 'response']) this.#cacheHits.add(0, cache);
    this.#cacheMisses.add(0, 'rest');
    for (const format of ['csv', 'ndjson']) this.#exportedRows.add(0, format);
    for (const reason of ['client', 'complete', 'INTERNAL_SERVER_ERROR']) this.#streamEnds.add(0, reason);
    for (const type of ['query', 'mutation', 'subscription', 'unknown'])
      this.#operations.add(0, type, 'INTERNAL_SERVER_ERROR');
  }

  get metrics(): readonly Metric[] {
    return [
      this.requests,
      this.#operations,
      this.#callsPerOperation,
      this.#responseBytes,
      this.#exportedRows,
      this.#streams,
      this.#streamEvents,
      this.#streamEnds,
      this.#cacheHits,
      this.#cacheMisses,
      this.#coalesced,
      this.#shed,
      this.#restCalls,
      this.#retries,
      this.#restRows,
      this.#restBytes,
      this.#batches,
      ...this.#gauges,
    ];
  }

  requestEnded(method: string, route: string, { status, milliseconds }: RequestEnd, error: string): void {
    this.requests.observe(
      milliseconds / 1000,
      method,
      route,
      status === undefined ? '' : String(status),
      error,
    );
  }

  operationEnded(observed: Observation): void {
    const { type = 'unknown', outcome, counts, bytes, isCachedResponse, exported, stream } = observed;
    this.#operations.add(1, type, outcome);
    // A stream takes as many as it has time for.
    if (!stream) this.#callsPerOperation.observe(counts.sent);
    this.#responseBytes.add(bytes);
    if (exported) this.#exportedRows.add(exported.rows, exported.format);
    if (isCachedResponse) this.#cacheHits.add(1, 'response');
    else if (counts.cacheHits > 0) this.#cacheHits.add(counts.cacheHits, 'rest');
    if (counts.sent > 0) this.#cacheMisses.add(counts.sent, 'rest');
    if (counts.coalesced > 0) this.#coalesced.add(counts.coalesced);
    this.#restRows.add(counts.rows);
    this.#restBytes.add(counts.bytes);
  }

  streamBegan(): void {
    this.#streamsInFlight += 1;
  }

  streamEvent(): void {
    this.#streamEvents.add(1);
  }

  streamEnded(reason: string): void {
    this.#streamsInFlight -= 1;
    this.#streamEnds.add(1, reason);
  }

  shed(reason: ShedReason): void {
    this.#shed.add(1, reason);
  }

  attempted(
    endpoint: string,
    status: number | null,
    fault: CallFault | undefined,
    milliseconds: number,
    attempt: number,
  ): void {
    const [method, template] = this.#endpointLabels(endpoint);
    const statusLabel = status === null ? '' : String(status);
    this.#restCalls.observe(milliseconds / 1000, method, template, statusLabel, fault ?? '');
    if (attempt > 1) this.#retries.add(1);
  }

  lookedUp(keys: number): void {
    this.#batches.observe(keys);
  }

  /** An endpoint is a method and a path template. */
  #endpointLabels(endpoint: string): readonly [method: string, template: string] {
    let labels = this.#endpoints.get(endpoint);
    if (labels === undefined) {
      const [method = '', template = ''] = endpoint.split(' ');
      labels = [method, template];
      this.#endpoints.set(endpoint, labels);
    }
    return labels;
  }
}
