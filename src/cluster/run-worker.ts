import cluster from 'node:cluster';
import type { Config } from '../config/index.ts';
import type { Builds } from '../serve/pages.ts';
import { createService, type Service } from '../serve/service.ts';
import { faultDetails } from '../telemetry/fault.ts';
import { PrimaryChannel } from './worker.ts';
import { createWorkerSharing } from './worker-sharing.ts';

/** Set by the primary: what workers of this start share is sealed with it. A process manager's own workers lack it. */
export const WORKER_SECRET = 'RECEIVABLES_WORKER_SECRET';
/** The embedded REST service of the primary, so that all workers show the same data. */
export const EMBEDDED_URL = 'RECEIVABLES_EMBEDDED_URL';

export function isOurWorker(): boolean {
  return cluster.isWorker && process.env[WORKER_SECRET] !== undefined;
}

/** A worker as a process: it obeys the primary alone. */
export async function runWorker(
  config: Config,
  builds: Builds,
  problemOf: (error: unknown) => string | undefined,
): Promise<void> {
  const channel = new PrimaryChannel();
  let service: Service | undefined;
  let isStopping = false;
  const fail = (error: unknown) => {
    service?.flushLog();
    const reason = problemOf(error) ?? JSON.stringify(faultDetails(error));
    channel.send({ type: 'failed', reason }, () => process.exit(1));
  };
  process.on('uncaughtException', fail);
  channel.listen({
    onConnection: (socket) => service?.server.accept(socket),
    onLeaveRotation: (spreadMs) => service?.server.leaveRotation(spreadMs),
    metrics: () => service?.metrics() ?? [],
    async onStop(spreadMs) {
      if (isStopping) return;
      isStopping = true;
      // The primary has waited for load balancers already.
      await service?.stop({ spreadMs });
      channel.send({ type: 'metrics', families: service?.metrics() ?? [] }, () => process.exit(0));
    },
  });
  try {
    service = await createService(config, builds, {
      embeddedUrl: process.env[EMBEDDED_URL],
      collectAll: () => channel.collect(),
      sharedBy: createWorkerSharing(channel, {
        secret: process.env[WORKER_SECRET] ?? '',
        restTimeoutMs: config.restTimeoutMs,
      }),
    });
    channel.send({ type: 'ready' });
  } catch (error) {
    fail(error);
  }
}
