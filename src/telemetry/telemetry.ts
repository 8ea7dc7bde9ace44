import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isServiceFault } from '../rest/call-fault.ts';
import type { RestEvents } from '../rest/client/rest-events.ts';
import type { SharingEvents } from '../sharing/redis.ts';
import { createLogger, createRepeatedLines, type LogOutput, type LogSettings } from './log.ts';
import {
  countOperation,
  createGatewayMetrics,
  type MeasuredState,
  type ShedReason,
  stateMetrics,
} from './metrics/gateway-metrics.ts';
import { createProcessMetrics } from './metrics/process-metrics.ts';
import { levelOf, Observation, operationDetails } from './observation.ts';
import { forwardingTracer, type Tracer } from './tracing.ts';

export interface TelemetryOptions extends LogSettings {
  readonly stream: LogOutput;
  readonly metrics: boolean;
  readonly restUrl: URL;
  readonly tracer?: Tracer | undefined;
  /** Read when the metrics are. */
  readonly state: () => MeasuredState;
}

interface SentResponse {
  readonly status: number | undefined;
  /** A code for why it did not get all of it. */
  readonly cutBy?: string;
}

type RequestLine = Pick<IncomingMessage, 'method' | 'url'>;

export interface RequestTelemetry {
  begin(headers: IncomingHttpHeaders, requestId: string): Observation;
  /** The response was sent, or the client has left, and the operation has ended. */
  end(request: RequestLine, sent: SentResponse, observed: Observation): void;
  shed(reason: ShedReason): void;
  /** A page of this origin, which may be any text, cannot read the response. */
  originRefused(origin: string): void;
  /** A stream has told a result. */
  streamEvent(): void;
}

/** Observes nothing but what `Server-Timing` needs, and passes traces on. */
export const NO_TELEMETRY: RequestTelemetry = {
  begin: (headers, requestId) => new Observation(requestId, forwardingTracer(headers)),
  end() {},
  shed() {},
  originRefused() {},
  streamEvent() {},
};

/** Log, metrics and traces of a server. What is off costs nothing. */
export function createTelemetry(options: TelemetryOptions) {
  const { logLevel, stream, tracer = forwardingTracer } = options;
  const logger = createLogger(options, stream);
  const { event: log } = logger;
  const repeated = createRepeatedLines(log);
  // Apart, since clients can make them up.
  const refusedOrigins = createRepeatedLines(log);
  const service = options.restUrl.origin;
  const metrics = options.metrics ? createGatewayMetrics() : undefined;
  const ofProcess = metrics && createProcessMetrics();
  const all = metrics && [
    ...Object.values(metrics),
    ...stateMetrics(options.state),
    logger.droppedMetric,
    ...(ofProcess?.metrics ?? []),
  ];

  function shed(reason: ShedReason): void {
    metrics?.shed.add(1, reason);
    repeated.add('requests shed', { reason });
  }

  /** Writes the lines that wait for others. */
  function flush(): void {
    repeated.flush();
    refusedOrigins.flush();
    logger.flush();
  }

  function endLog(): Promise<void> {
    flush();
    return logger.end();
  }

  const restEvents: RestEvents = {
    attempted(endpoint, status, fault, milliseconds, attempt) {
      if (metrics) {
        const [method = '', template = ''] = endpoint.split(' ');
        metrics.restCalls.observe(milliseconds / 1000, method, template, `${status ?? ''}`, fault ?? '');
        if (attempt > 1) metrics.retries.add(1);
      }
      // The retries of a call are no news.
      if (fault === undefined || !isServiceFault(fault) || attempt > 1) return;
      const more = { status: status ?? undefined };
      repeated.add('REST call failed', { service, endpoint, errorType: fault }, more);
    },
    lookedUp: (keys) => metrics?.lookupKeys.observe(keys),
    shed,
    breakerChanged: (endpoint, state, errorType) =>
      log('warn', `circuit breaker ${state === 'open' ? 'opened' : 'closed'}`, { endpoint, errorType }),
  };

  const sharingEvents: SharingEvents = {
    onStateChange: (redis, reason) =>
      log(redis === 'connected' ? 'info' : 'warn', `redis ${redis}`, { reason }),
  };

  const requests: RequestTelemetry = {
    begin: (headers, requestId) => new Observation(requestId, tracer(headers)),

    end(request, { status, cutBy }, observed) {
      const milliseconds = performance.now() - observed.startedAt;
      if (cutBy !== undefined) observed.cut(cutBy);
      const { stream, codes } = observed;
      // How long a stream lasts is up to its client, and says nothing of how long anybody waited.
      if (stream) metrics?.streamEnds.add(1, stream.endedBy);
      else if (metrics && !observed.isEntry) {
        const isFailed = status === undefined || status >= 400 || cutBy !== undefined;
        const [method, route] = labelsOf(request);
        const error = (isFailed && codes[0]) || '';
        metrics.requests.observe(milliseconds / 1000, method, route, `${status ?? ''}`, error);
      }
      if (!observed.isOperation) return;
      if (metrics) countOperation(metrics, observed);
      const level = levelOf(codes);
      if ((logLevel === 'operations' || level !== 'info') && !observed.isShed)
        logger.operation(level, 'operation', operationDetails(observed, status, milliseconds));
      observed.trace?.end(observed, status);
    },

    shed,
    originRefused: (given) => refusedOrigins.add(...refusalOf(given)),
    streamEvent: () => metrics?.streamEvents.add(1),
  };

  return {
    ...requests,
    log,
    restEvents,
    sharingEvents,
    metrics: all && (() => all.map((metric) => metric.collect())),
    flush,
    endLog,

    stop(): Promise<void> {
      ofProcess?.stop();
      return endLog();
    },
  };
}

/** What browsers send. Anything else may be any text, and is not logged. */
const ORIGIN = /^[a-z][a-z\d+.-]{0,30}:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

function refusalOf(given: string) {
  // Browsers themselves send `null` for pages without an origin.
  const origin = ORIGIN.test(given) ? given.toLowerCase() : 'null';
  const wayOut = /^https?:/.test(origin)
    ? 'to allow them, add it to CORS_ORIGINS'
    : 'CORS_ORIGINS takes only http and https origins';
  return [`CORS: pages of this origin may not read answers; ${wayOut}`, { origin }] as const;
}

const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS'];
const ROUTE =
  /^\/(?:graphql(?:\.csv|\.ndjson)?|health|ready|metrics|docs|schema(?:\.graphql)?|graphiql)?(?=[/?#]|$)/;

/** Its method and its route, each as one of a few: those that a client has made up are others. */
function labelsOf({ method = '', url = '/' }: RequestLine): readonly [method: string, route: string] {
  return [METHODS.includes(method) ? method : '_OTHER', ROUTE.exec(url)?.[0] ?? 'other'];
}
