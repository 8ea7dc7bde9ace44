import type { IncomingHttpHeaders } from 'node:http';
import { isServiceFault } from '../rest/call-fault.ts';
import type { RestEvents } from '../rest/client/breaker.ts';
import type { SharingEvents } from '../sharing/events.ts';
import { createLogger, type Details, type Log, type LogFormat, type Logger } from './log.ts';
import { GatewayMetrics, type ShedReason } from './metrics/gateway-metrics.ts';
import type { MetricFamily } from './metrics/metrics.ts';
import { createProcessMetrics } from './metrics/process-metrics.ts';
import type { MeasuredState } from './metrics/state-metrics.ts';
import { Observation } from './observation.ts';
import { createOperationLog, type LogLevel } from './operation-log.ts';
import { forwardingTracer, routeLabel, type Tracer } from './operation-trace.ts';
import { CallFaultLog, RefusedOrigins, ShedLog } from './repeated-lines.ts';

export interface TelemetryOptions {
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Where log lines are written. */
  readonly stream: NodeJS.WritableStream & Parameters<typeof createLogger>[0];
  /** Part of every log line. */
  readonly common?: Details;
  readonly metrics: boolean;
  readonly restUrl: URL;
  readonly tracer?: Tracer | undefined;
  /** Read when the metrics are. */
  readonly state: () => Omit<MeasuredState, 'logLinesDropped'>;
}

/** What a client got of a response. */
export interface SentResponse {
  /** Absent if there was none. */
  readonly status: number | undefined;
  /** A code for why it did not get all of it. */
  readonly cutBy?: string;
}

/** The first line of a request. */
interface RequestLine {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** What the HTTP server tells of its requests. */
export interface RequestTelemetry {
  begin(headers: IncomingHttpHeaders, requestId: string): Observation;
  /** The response was sent, or the client has left, and the operation has ended. */
  end(request: RequestLine, sent: SentResponse, observed: Observation): void;
  shed(reason: ShedReason): void;
  /** A page of this origin, which may be any text, cannot read the response. */
  originRefused(origin: string): void;
  /** A response that is a stream of results has begun, and has told one of them; the request ends when it does. */
  streamBegan(): void;
  streamEvent(): void;
}

/** Observes nothing but what `Server-Timing` needs, and passes traces on. */
export const NO_TELEMETRY: RequestTelemetry = {
  begin: (headers, requestId) => new Observation(requestId, forwardingTracer(headers)),
  end() {},
  shed() {},
  originRefused() {},
  streamBegan() {},
  streamEvent() {},
};

/** Log, metrics and traces of a server. What is off costs nothing. */
interface Telemetry extends RequestTelemetry {
  readonly log: Log;
  readonly restEvents: RestEvents;
  readonly sharingEvents: SharingEvents;
  /** Undefined if metrics are off. */
  readonly metrics: (() => MetricFamily[]) | undefined;
  /** Writes the log lines that wait for others. */
  flush(): void;
  stop(): Promise<void>;
}

export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { logLevel, tracer = forwardingTracer } = options;
  const logger =
    logLevel === 'off' ? SILENT : createLogger(options.stream, options.logFormat, options.common);
  const { event: log } = logger;
  const logOperation = createOperationLog(logLevel, logger.operation);
  const shedLog = new ShedLog(log);
  const refusedOrigins = new RefusedOrigins(log);
  const callFaultLog = new CallFaultLog(log, options.restUrl.origin);
  const state = () => ({ ...options.state(), logLinesDropped: logger.dropped });
  const metrics = options.metrics ? new GatewayMetrics(state) : undefined;
  const processMetrics = options.metrics ? createProcessMetrics() : undefined;
  const all = metrics && processMetrics && [...metrics.metrics, ...processMetrics.metrics];

  function shed(reason: ShedReason): void {
    metrics?.shed(reason);
    shedLog.add(reason);
  }

  return {
    log,
    restEvents: {
      attempted(endpoint, status, fault, milliseconds, attempt) {
        metrics?.attempted(endpoint, status, fault, milliseconds, attempt);
        if (fault !== undefined && isServiceFault(fault))
          callFaultLog.add({ endpoint, errorType: fault, attempt, status: status ?? undefined });
      },
      lookedUp: (keys) => metrics?.lookedUp(keys),
      shed,
      breakerChanged(endpoint, change) {
        if (change.state === 'closed') log('warn', 'circuit breaker closed', { endpoint });
        else
          log('warn', 'circuit breaker opened', {
            endpoint,
            errorType: change.fault,
            callers: change.heldBack,
          });
      },
    },
    sharingEvents: {
      onStateChange: (redis, reason) =>
        log(
          redis === 'connected' ? 'info' : 'warn',
          `redis ${redis}`,
          reason === undefined ? {} : { reason },
        ),
    },
    metrics: all && (() => all.map((metric) => metric.collect())),

    begin: (headers, requestId) => new Observation(requestId, tracer(headers)),

    end(request, { status, cutBy }, observed) {
      const end = { status, milliseconds: performance.now() - observed.startedAt };
      if (cutBy !== undefined) observed.cut(cutBy);
      const [error = ''] = observed.codes;
      const isFailed = status === undefined || status >= 400 || cutBy !== undefined;
      // How long a stream lasts is up to its client, and says nothing of how long anybody waited.
      if (observed.stream) metrics?.streamEnded(observed.stream.endedBy);
      else if (!observed.isEntry)
        metrics?.requestEnded(methodLabel(request), routeLabel(request), end, isFailed ? error : '');
      if (!observed.isOperation) return;
      metrics?.operationEnded(observed);
      if (!observed.isShed) logOperation(observed, end);
      observed.trace?.end({ observed, status });
    },

    shed,
    originRefused: (origin) => refusedOrigins.add(origin),
    streamBegan: () => metrics?.streamBegan(),
    streamEvent: () => metrics?.streamEvent(),
    flush() {
      shedLog.flush();
      callFaultLog.flush();
      logger.flush();
    },

    async stop() {
      processMetrics?.stop();
      shedLog.flush();
      callFaultLog.flush();
      await logger.end();
    },
  };
}

const SILENT: Logger = {
  event() {},
  operation() {},
  forward() {},
  dropped: 0,
  flush() {},
  end: async () => {},
};

/** OpenTelemetry's label for a method that a client has made up. */
function methodLabel({ method = '' }: RequestLine): string {
  return ['GET', 'POST', 'HEAD', 'OPTIONS'].includes(method) ? method : '_OTHER';
}
