import { createMetricsPage } from '../pages/metrics.ts';
import type { Route } from '../pages/route.ts';
import { createStatusPage, isFromThisMachine, type StatusFor } from '../pages/status.ts';
import { createStatus, type MetricsSource } from '../telemetry/status.ts';

/** What operators look at. */
export interface OperatorPages {
  /** On the port that callers use. */
  readonly main: readonly Route[];
  /** On the port of operators, if there is one. */
  readonly admin: readonly Route[];
  /** Decides for the port that callers use. */
  readonly statusFor: StatusFor | undefined;
}

/** With a port of their own, operators are all who reach it; elsewhere then only those on the machine itself. */
export function createOperatorPages(
  metrics: MetricsSource | undefined,
  isAdminSeparate: boolean,
): OperatorPages {
  if (metrics === undefined) return { main: [], admin: [], statusFor: undefined };
  const { collect } = metrics;
  const status = createStatus(metrics);
  const forAll = [createMetricsPage(collect), createStatusPage(status)];
  if (!isAdminSeparate) return { main: forAll, admin: forAll, statusFor: status };
  const statusFor: StatusFor = (request) => (isFromThisMachine(request) ? status() : undefined);
  return { main: [createStatusPage(statusFor)], admin: forAll, statusFor };
}
