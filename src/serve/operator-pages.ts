import type { IncomingMessage } from 'node:http';
import { RequestError } from '../http/request-error.ts';
import { createErrorPage, type ErrorPage } from '../pages/error-page.ts';
import { createMetricsPage } from '../pages/metrics.ts';
import { METRICS_PLACE, PROBE_PLACES, STATUS_PLACE } from '../pages/places.ts';
import { isReadOf, type Route } from '../pages/route.ts';
import { createStatusPage, isFromThisMachine, type StatusFor } from '../pages/status.ts';
import { createStatus, type MetricsSource, SAMPLE_S } from '../telemetry/status.ts';

/** What operators look at. */
export interface OperatorPages {
  /** On the port that callers use. */
  readonly main: readonly Route[];
  /** On the port of operators, if there is one. */
  readonly admin: AdminPages;
  /** Whether a request to the port that callers use may see the status. */
  isStatusSeen(request: IncomingMessage): boolean;
  /** Decides for the port that callers use. */
  readonly statusFor: StatusFor | undefined;
  /** Whether `/metrics` is on the port that callers use. */
  readonly hasMetrics: boolean;
  stop(): void;
}

export interface AdminPages {
  readonly routes: readonly Route[];
  readonly errorPage: ErrorPage;
}

const ON_ADMIN_PORT = new RequestError(404, 'NOT_FOUND', 'The metrics are at ADMIN_PORT, not at this port.');

const metricsElsewhere: Route = (request) => {
  if (isReadOf(METRICS_PLACE.path, request)) throw ON_ADMIN_PORT;
  return undefined;
};

/** With a port of their own, operators are all who reach it; elsewhere then only those on the machine itself. */
export function createOperatorPages(
  metrics: MetricsSource | undefined,
  isAdminSeparate: boolean,
): OperatorPages {
  if (metrics === undefined) {
    const admin = { routes: [], errorPage: createErrorPage(() => PROBE_PLACES) };
    return { main: [], admin, isStatusSeen: () => false, statusFor: undefined, hasMetrics: false, stop() {} };
  }
  const status = createStatus(metrics);
  // A worker may be unable to ask the others while they start or stop.
  const timer = setInterval(() => void status.sample().catch(() => {}), SAMPLE_S * 1_000).unref();
  const isStatusSeen = isAdminSeparate ? isFromThisMachine : () => true;
  const statusFor: StatusFor = (request) => (isStatusSeen(request) ? status.read() : undefined);
  const metricsPage = createMetricsPage(metrics.collect);
  return {
    main: [createStatusPage(statusFor), isAdminSeparate ? metricsElsewhere : metricsPage],
    admin: {
      routes: [createStatusPage(status.read), metricsPage],
      errorPage: createErrorPage(() => [...PROBE_PLACES, STATUS_PLACE, METRICS_PLACE]),
    },
    isStatusSeen,
    statusFor,
    hasMetrics: !isAdminSeparate,
    stop: () => clearInterval(timer),
  };
}
