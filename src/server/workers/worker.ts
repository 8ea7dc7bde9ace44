import cluster from 'node:cluster';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { createNames } from '../../sharing/names.ts';
import type { SharedStates } from '../../sharing/refresh-protocol.ts';
import { createRefreshes } from '../../sharing/refreshes.ts';
import type { Sharing } from '../../sharing/sharing.ts';
import { faultDetails } from '../../telemetry/log.ts';
import type { MetricFamily } from '../../telemetry/metrics/metrics.ts';
import type { Builds } from '../pages.ts';
import { createService, type Service } from '../service.ts';
import {
  isMessage,
  type PrimaryMessage,
  type SharingReply,
  type SharingRequest,
  type WorkerMessage,
} from './messages.ts';

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

/** What the primary may ask of a worker. */
interface WorkerHandlers {
  onConnection(socket: Socket): void;
  onLeaveRotation(spreadMs: number): void;
  onStop(spreadMs: number): void;
  /** Its own metrics. */
  metrics(): readonly MetricFamily[];
}

/** The worker's end of the channel to the primary. */
class PrimaryChannel {
  readonly #collecting = new Map<number, (families: readonly MetricFamily[]) => void>();
  readonly #asking = new Map<number, (reply: SharingReply) => void>();
  #drop: (credential: string) => void = () => {};
  #last = 0;

  /** Only the primary stops a worker: a terminal, or a supervisor, signals the whole group. */
  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => {});
  }

  listen(handlers: WorkerHandlers): void {
    process.on('message', (message: unknown, handle: unknown) => {
      if (isMessage<PrimaryMessage>(message)) this.#receive(message, handle, handlers);
    });
    // Without its primary nobody hands it connections.
    process.on('disconnect', () => handlers.onStop(0));
  }

  #receive(message: PrimaryMessage, handle: unknown, handlers: WorkerHandlers): void {
    switch (message.type) {
      case 'connection':
        // The client may have disconnected on the way.
        if (handle instanceof Socket) handlers.onConnection(handle);
        this.send({ type: 'taken' });
        break;
      case 'leave-rotation':
        handlers.onLeaveRotation(message.spreadMs);
        break;
      case 'stop':
        handlers.onStop(message.spreadMs);
        break;
      case 'report':
        this.send({ type: 'metrics', id: message.id, families: handlers.metrics() });
        break;
      case 'collected':
        this.#collecting.get(message.id)?.(message.families);
        this.#collecting.delete(message.id);
        break;
      case 'shared':
        this.#asking.get(message.id)?.(message.reply);
        this.#asking.delete(message.id);
        break;
      case 'drop':
        this.#drop(message.credential);
        this.send({ type: 'dropped', id: message.id });
    }
  }

  /** Called with the hash of a credential that has written, or was rejected, at another worker. */
  onDrop(drop: (credential: string) => void): void {
    this.#drop = drop;
  }

  /** Asks the primary for something that all workers share. */
  request(request: SharingRequest): Promise<SharingReply> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#asking.set(id, resolve);
      this.send({ type: 'share', id, request });
    });
  }

  /** The metrics of all workers together. */
  collect(): Promise<readonly MetricFamily[]> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#collecting.set(id, resolve);
      this.send({ type: 'collect', id });
    });
  }

  /** `onSent` is called in any case. */
  send(message: WorkerMessage, onSent = () => {}): void {
    if (process.connected) process.send?.(message, undefined, undefined, onSent);
    else onSent();
  }
}

/** How often a worker that waits for another's refresh looks again. */
const POLL_MS = 50;

/** What the workers of one machine share through their primary, as replicas do through Redis. */
function createWorkerSharing(
  channel: PrimaryChannel,
  { secret, restTimeoutMs }: { readonly secret: string; readonly restTimeoutMs: number },
): Pick<Sharing, 'refreshes' | 'reserve' | 'cache' | 'keepInStep' | 'close'> {
  const names = createNames(secret);
  const move: SharedStates['move'] = async (key, from, to, lifeMs) =>
    String(await channel.request({ kind: 'move', key, from, to, lifeMs }));
  const states: SharedStates = {
    move,
    changed: (_key, milliseconds) => sleep(Math.min(POLL_MS, milliseconds)),
    // Without its primary a worker ends, so there is nothing to wait for.
    recovered: async () => false,
    moveEventually: (...args) => void move(...args).catch(() => {}),
    now: () => performance.now(),
  };
  return {
    refreshes: createRefreshes({ states, names, secret, restTimeoutMs }),
    async reserve(credential, wanted) {
      const reply = await channel.request({ kind: 'reserve', key: names.calls(credential), ...wanted });
      return typeof reply === 'object' ? reply : undefined;
    },
    cache: {
      credentialKey: names.credentialKey,
      tell: async (credential) => void (await channel.request({ kind: 'drop', credential })),
    },
    keepInStep: (cache) => channel.onDrop((credential) => cache.drop(credential)),
    close() {},
  };
}
