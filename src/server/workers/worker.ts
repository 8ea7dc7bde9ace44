import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { createNames } from '../../sharing/names.ts';
import type { SharedStates } from '../../sharing/refresh-protocol.ts';
import { createRefreshes } from '../../sharing/refreshes.ts';
import type { LocalCache, Sharing } from '../../sharing/sharing.ts';
import { faultDetails } from '../../telemetry/log.ts';
import type { Builds } from '../pages.ts';
import { createService, type Service } from '../service.ts';
import { Channel, type PrimaryCalls, type WorkerCalls } from './channel.ts';

/** Set by the primary: what workers of this start share is sealed with it. A process manager's own workers lack it. */
export const WORKER_SECRET = 'RECEIVABLES_WORKER_SECRET';
/** The embedded REST service of the primary, so that all workers show the same data. */
export const EMBEDDED_URL = 'RECEIVABLES_EMBEDDED_URL';

export function isOurWorker(): boolean {
  return cluster.isWorker && process.env[WORKER_SECRET] !== undefined;
}

/** A worker as a process: it obeys the primary alone, since a terminal, or a supervisor, signals the whole group. */
export async function runWorker(
  config: Config,
  builds: Builds,
  problemOf: (error: unknown) => string | undefined,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => {});
  let service: Service | undefined;
  let cache: LocalCache | undefined;
  const calls: WorkerCalls = {
    take: (socket) => socket && service?.server.accept(socket),
    leaveRotation: (spreadMs) => service?.server.leaveRotation(spreadMs),
    async stop(spreadMs) {
      // The primary has waited for load balancers already.
      await service?.stop({ spreadMs });
      return calls.metrics();
    },
    metrics: () => service?.metrics() ?? [],
    drop: (credential) => cache?.drop(credential),
    dropAll: () => cache?.dropAll(),
  };
  const primary = new Channel<PrimaryCalls>(process, calls);
  const fail = async (error: unknown) => {
    service?.flushLog();
    await primary.call('failed', problemOf(error) ?? JSON.stringify(faultDetails(error)));
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  try {
    const sharing = createWorkerSharing(primary, process.env[WORKER_SECRET] ?? '', config);
    service = await createService(config, builds, {
      embeddedUrl: process.env[EMBEDDED_URL],
      collectAll: async () => (await primary.call('collect')) ?? [],
      sharedBy: {
        ...sharing,
        keepInStep(local) {
          cache = local;
        },
      },
    });
    void primary.call('ready');
  } catch (error) {
    void fail(error);
  }
}

/** How often a worker that waits for another's refresh looks again. */
const POLL_MS = 50;
const PRIMARY_GONE = new Error('The primary has ended.');

/** What the workers of one machine share through their primary, as replicas do through Redis. */
function createWorkerSharing(
  primary: Channel<PrimaryCalls>,
  secret: string,
  { restTimeoutMs }: Pick<Config, 'restTimeoutMs'>,
): Pick<Sharing, 'refreshes' | 'reserve' | 'cache' | 'close'> {
  const names = createNames(secret);
  const states: SharedStates = {
    move: async (...args) => (await primary.call('move', ...args)) ?? Promise.reject(PRIMARY_GONE),
    changed: (_key, milliseconds) => sleep(Math.min(POLL_MS, milliseconds)),
    // Without its primary a worker ends, so there is nothing to wait for.
    recovered: async () => false,
    moveEventually: (...args) => void primary.call('move', ...args),
    now: () => performance.now(),
  };
  return {
    refreshes: createRefreshes(states, names, { secret, restTimeoutMs }),
    reserve: (credential, wanted) => primary.call('reserve', names.calls(credential), wanted),
    cache: {
      credentialKey: names.credentialKey,
      tell: (credential) => primary.call('dropElsewhere', credential),
    },
    close() {},
  };
}
