import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RestEvents } from '../rest/client/client.ts';
import { isServiceError } from '../rest/errors.ts';
import { createLogger, createThrottledWarning, type LogOutput, type LogSettings } from './log.ts';
import { createMetrics, type MeasuredState, type ShedReason } from './metrics/gateway-metrics.ts';
import { levelOf, Observation, rounded } from './observation.ts';
import { forwardingTracer, type Tracer } from './tracing.ts';

export interface TelemetryOptions extends LogSettings {
  /** Where the log goes; standard output by default. */
  readonly stream?: LogOutput | undefined;
  readonly restUrl: URL;
  /** Whether anybody can read what is counted; by default. */
  readonly metrics?: boolean;
  readonly tracer?: Tracer | undefined;
  /** Read when the metrics are. */
  readonly state: () => MeasuredState;
}

/** One operation of an array has no request of its own. */
type RequestLine = Pick<IncomingMessage, 'method' | 'url'> | undefined;

export type RequestTelemetry = Pick<Telemetry, 'begin' | 'end' | 'shed' | 'waited' | 'streamEvent'>;
type Telemetry = ReturnType<typeof createTelemetry>;

/** Observes nothing but what `Server-Timing` needs, and passes traces on. */
export const NO_TELEMETRY: RequestTelemetry = {
  begin: (headers, requestId) => new Observation(requestId, forwardingTracer(headers)),
  end() {},
  shed() {},
  waited() {},
  streamEvent() {},
};

/** Hears of all that happens, and tells it by log, metrics and traces. */
export function createTelemetry(options: TelemetryOptions) {
  const { logLevel, stream, tracer = forwardingTracer, metrics: isCounting = true } = options;
  const { log, droppedMetric, end: endLog } = createLogger(options, stream);
  const warnSparsely = createThrottledWarning(log);
  const service = options.restUrl.origin;
  const { counted: metrics, all } = createMetrics(options.state);

  function count({ line, isOperation }: Observation, request: RequestLine, isCut: boolean): void {
    const { type = 'unknown', estimate, codes, status, stream, endedBy, format, exportedRows = 0 } = line;
    // How long a stream lasts is up to its client, and says nothing of how long anybody waited.
    if (stream) metrics.streamEnds.add(1, `${endedBy}`);
    else if (request) {
      const error = isCut || status === undefined || status >= 400 ? codes[0] : undefined;
      metrics.requests.observe(line.durationMs / 1000, ...labelsOf(request), `${status ?? ''}`, error ?? '');
    }
    if (!isOperation) return;
    // A stream that has told of an error goes on, unless it ends with one.
    const [outcome = 'OK'] = stream ? codes.filter((code) => code === endedBy) : codes;
    metrics.operations.add(1, estimate ? 'estimate' : type, outcome);
    // A stream takes as many as it has time for.
    if (!stream && !estimate) metrics.callsPerOperation.observe(line.restCalls);
    metrics.responseBytes.add(line.bytes);
    if (format) metrics.exportedRows.add(exportedRows, format);
    metrics.cacheHits.add(line.cacheHits, 'rest');
    metrics.cacheMisses.add(line.restCalls, 'rest');
    metrics.coalesced.add(line.coalesced);
  }

  return {
    log,

    begin: (headers: IncomingHttpHeaders, requestId: string) => new Observation(requestId, tracer(headers)),

    /**
     * The response was sent with this status, or the client has left, and the operation has ended. `cutBy` is a code for
     * why the client did not get all of it.
     */
    end(
      observation: Observation,
      request: RequestLine,
      status: number | undefined,
      abortCode?: string,
    ): void {
      const { line } = observation;
      line.status = status;
      line.durationMs = rounded(performance.now() - observation.startedAt);
      if (abortCode !== undefined) observation.cut(abortCode);
      if (isCounting) count(observation, request, abortCode !== undefined);
      if (!observation.isOperation) return;
      const level = levelOf(line.codes);
      if ((logLevel === 'operations' || level !== 'info') && !observation.isShed)
        log(level, 'operation', { ...line });
      observation.trace?.end(line);
    },

    shed(reason: ShedReason): void {
      metrics.shed.add(1, reason);
      warnSparsely('requests shed', { reason });
    },
    /** A request has waited for a slot. */
    waited: (kind: string, milliseconds: number) => metrics.waits.observe(milliseconds / 1000, kind),
    /** A stream has told a result. */
    streamEvent: () => metrics.streamEvents.add(1),

    onAttempt(endpoint, { status, milliseconds, rows, bytes }, errorType, attempt) {
      if (isCounting) {
        metrics.restRows.add(rows ?? 0);
        metrics.restBytes.add(bytes ?? 0);
        const [method = '', template = ''] = endpoint.split(' ');
        const seconds = (milliseconds ?? 0) / 1000;
        metrics.restCalls.observe(seconds, method, template, `${status ?? ''}`, errorType ?? '');
      }
      // The retries of a call are no news.
      if (attempt > 1) metrics.retries.add(1);
      else if (errorType && isServiceError(errorType))
        warnSparsely('REST call failed', { service, endpoint, errorType, status: status ?? undefined });
    },
    onLookup: (keys) => metrics.lookupKeys.observe(keys),
    onBreakerChange: (endpoint, state, errorType) =>
      log('warn', `circuit breaker ${state === 'open' ? 'opened' : 'closed'}`, { endpoint, errorType }),

    metrics: () => [...all, droppedMetric].map((metric) => metric.collect()),
    stop: endLog,
  } satisfies RestEvents & { readonly [name: string]: unknown };
}

const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS'];
const ROUTE =
  /^\/(?:graphql(?:\.csv|\.ndjson)?|health|ready|metrics|docs|schema(?:\.graphql)?|graphiql)?(?=[/?#]|$)/;

/** Its method and its route, each as one of a few: those that a client has made up are others. */
function labelsOf({
  method = '',
  url = '/',
}: NonNullable<RequestLine>): readonly [method: string, route: string] {
  return [METHODS.includes(method) ? method : '_OTHER', ROUTE.exec(url)?.[0] ?? 'other'];
}
