import type { Socket } from 'node:net';
import type { Config } from '../../config/index.ts';
import { faultDetails } from '../../telemetry/log.ts';
import type { MetricFamily } from '../../telemetry/metrics/metrics.ts';
import type { Builds } from '../pages.ts';
import { createService } from '../service.ts';

/** Set by the primary: the address of its embedded REST service, or nothing. */
export const WORKER = 'RECEIVABLES_WORKER';
const METRICS_MS = 1_000;

export function isOurWorker(): boolean {
  return process.env[WORKER] !== undefined && process.send !== undefined;
}

type Families = readonly MetricFamily[];

/** What the primary tells a worker: a connection, which comes with its socket; to stop; the metrics of all. */
export type ToWorker =
  | { readonly connection: number }
  | { readonly leave: number }
  | { readonly stop: number }
  | { readonly all: Families };

/** What a worker tells the primary: that it serves, or fails; that it has taken a connection; its metrics. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly failed: string }
  | { readonly taken: number }
  | { readonly metrics: Families };

/** A worker as a process: it obeys the primary alone, since a terminal, or a supervisor, signals the whole group. */
export async function runWorker(
  config: Config,
  builds: Builds,
  problemOf: (error: unknown) => string | undefined,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(1));
  const tell = (message: FromWorker, then = () => {}) => void process.send?.(message, then);
  const fail = (error: unknown) =>
    tell({ failed: problemOf(error) ?? JSON.stringify(faultDetails(error)) }, () => process.exit(1));
  process.on('uncaughtException', fail);
  try {
    let all: Families = [];
    const embeddedUrl = process.env[WORKER] || undefined;
    const service = await createService(config, builds, { embeddedUrl, collectAll: async () => all });
    process.on('uncaughtException', () => void service.endLog());
    process.on('message', async (message: ToWorker, socket?: Socket) => {
      if ('connection' in message) {
        // Its client may have left on the way.
        if (socket) service.server.accept(socket);
        tell({ taken: message.connection });
      } else if ('leave' in message) service.server.leaveRotation(message.leave);
      else if ('all' in message) all = message.all;
      else {
        // The primary has waited for load balancers already.
        await service.stop({ spreadMs: message.stop });
        tell({ metrics: service.metrics() }, () => process.exit(0));
      }
    });
    const tellMetrics = () => tell({ metrics: service.metrics() });
    setInterval(tellMetrics, METRICS_MS).unref();
    tellMetrics();
    tell({ ready: true });
  } catch (error) {
    fail(error);
  }
}
