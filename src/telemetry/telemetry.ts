import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RestEvents } from '../rest/client/client.ts';
import { isServiceError } from '../rest/errors.ts';
import { createLogger, createThrottledWarning, type LogOutput, type LogSettings } from './log.ts';
import { createMetrics, type MeasuredState, type RejectionReason } from './metrics/gateway-metrics.ts';
import { getLevel, Observation, roundToTenths } from './observation.ts';
import { forwardingTracer, type Tracer } from './tracing.ts';

export interface TelemetryOptions extends LogSettings {
  readonly stream?: LogOutput | undefined;
  readonly restUrl: URL;
  /** Whether metrics are counted; true by default. */
  readonly metrics?: boolean;
  readonly tracer?: Tracer | undefined;
  readonly state: () => MeasuredState;
}

/** Undefined for an operation of a batch, which has no request of its own. */
type RequestLine = Pick<IncomingMessage, 'method' | 'url'> | undefined;

export type RequestTelemetry = Pick<Telemetry, 'begin' | 'end' | 'onRejected' | 'onWaited' | 'onStreamEvent'>;
type Telemetry = ReturnType<typeof createTelemetry>;

/** Observes only what `Server-Timing` needs, and forwards traces. */
export const NO_TELEMETRY: RequestTelemetry = {
  begin: (headers, requestId) => new Observation(requestId, forwardingTracer(headers)),
  end() {},
  onRejected() {},
  onWaited() {},
  onStreamEvent() {},
};

export function createTelemetry(options: TelemetryOptions) {
  const { logLevel, stream, tracer = forwardingTracer, metrics: isCounting = true } = options;
  const { log, droppedMetric, end: endLog } = createLogger(options, stream);
  const warnThrottled = createThrottledWarning(log);
  const service = options.restUrl.origin;
  const { counted: metrics, all } = createMetrics(options.state);

  function count({ logEntry, isOperation }: Observation, request: RequestLine, isCut: boolean): void {
    const { type = 'unknown', estimate, codes, status, stream, endedBy, format, exportedRows = 0 } = logEntry;
    // The client decides how long a stream lasts, so its duration is not measured.
    if (stream) metrics.streamEnds.add(1, `${endedBy}`);
    else if (request) {
      const error = isCut || status === undefined || status >= 400 ? codes[0] : undefined;
      const labels = [...getRequestLabels(request), `${status ?? ''}`, error ?? ''];
      metrics.requests.observe(logEntry.durationMs / 1000, ...labels);
    }
    if (!isOperation) return;
    // A stream may continue after an error, so only its end counts.
    const [outcome = 'OK'] = stream ? codes.filter((code) => code === endedBy) : codes;
    metrics.operations.add(1, estimate ? 'estimate' : type, outcome);
    if (!stream && !estimate) metrics.callsPerOperation.observe(logEntry.restCalls);
    metrics.responseBytes.add(logEntry.bytes);
    if (format) metrics.exportedRows.add(exportedRows, format);
    metrics.cacheHits.add(logEntry.cacheHits, 'rest');
    metrics.cacheMisses.add(logEntry.restCalls, 'rest');
    metrics.coalesced.add(logEntry.coalesced);
  }

  return {
    log,

    begin: (headers: IncomingHttpHeaders, requestId: string) => new Observation(requestId, tracer(headers)),

    /** `abortCode` says why the client did not get all of the response. */
    end(
      observation: Observation,
      request: RequestLine,
      status: number | undefined,
      abortCode?: string,
    ): void {
      const { logEntry } = observation;
      logEntry.status = status;
      logEntry.durationMs = roundToTenths(performance.now() - observation.startedAt);
      if (abortCode !== undefined) observation.cut(abortCode);
      if (isCounting) count(observation, request, abortCode !== undefined);
      if (!observation.isOperation) return;
      const level = getLevel(logEntry.codes);
      if ((logLevel === 'operations' || level !== 'info') && !observation.isRejected)
        log(level, 'operation', { ...logEntry });
      observation.trace?.end(logEntry);
    },

    onRejected(reason: RejectionReason): void {
      metrics.rejections.add(1, reason);
      warnThrottled('requests shed', { reason });
    },
    onWaited: (kind: string, milliseconds: number) => metrics.waits.observe(milliseconds / 1000, kind),
    onStreamEvent: () => metrics.streamEvents.add(1),

    onAttempt(endpoint, { status, milliseconds, rows, bytes }, errorType, attempt) {
      if (isCounting) {
        metrics.restRows.add(rows ?? 0);
        metrics.restBytes.add(bytes ?? 0);
        const [method = '', template = ''] = endpoint.split(' ');
        const seconds = (milliseconds ?? 0) / 1000;
        metrics.restCalls.observe(seconds, method, template, `${status ?? ''}`, errorType ?? '');
      }
      // Only first attempts are logged.
      if (attempt > 1) metrics.retries.add(1);
      else if (errorType && isServiceError(errorType))
        warnThrottled('REST call failed', { service, endpoint, errorType, status: status ?? undefined });
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

/** Made-up methods and routes count as other, so that the labels stay few. */
function getRequestLabels({ method = '', url = '/' }: NonNullable<RequestLine>): [string, string] {
  return [METHODS.includes(method) ? method : '_OTHER', ROUTE.exec(url)?.[0] ?? 'other'];
}
