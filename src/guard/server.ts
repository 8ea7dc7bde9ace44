import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProbes, type Readiness } from '../pages/probes.ts';
import { Admission } from '../plugins/admission.ts';
import { faultDetails } from '../telemetry/fault.ts';
import { varyFor } from './errors.ts';
import { type Address, createGuardedServer, type GuardedServerOptions } from './guarded-server.ts';
import { createHandler, type HandlerOptions } from './handler.ts';
import { StartQueue } from './start-queue.ts';
import { type TransferLimits, Transfers } from './transfers.ts';

/** For metrics. */
export interface HttpStats {
  readonly connections: number;
  readonly operationsInFlight: number;
  /** What is held of each memory budget, in bytes. */
  readonly memory: { readonly [budget: string]: number };
}

export interface HttpServer {
  listen(port: number, host: string): Promise<Address>;
  /** Takes a connection that another process has accepted. */
  accept(socket: Socket): void;
  /** From now on `/ready` fails, so that no more clients are sent here. */
  leaveRotation(): void;
  readiness(): Readiness;
  stats(): HttpStats;
  /**
   * Leaves the rotation; until clients know (`delayMs`), requests are served as before. Then it stops accepting
   * connections, waits for requests in flight, and destroys the remaining connections after `graceMs`.
   */
  drain(graceMs: number, delayMs?: number): Promise<void>;
}

/** What requests are handled with; the server adds its own limits. */
export interface ServedOptions extends Omit<HandlerOptions, 'admission' | 'uploads' | 'downloads'> {
  /** Maximum number of concurrent operations. */
  readonly maxOperations: number;
}

export interface HttpServerOptions
  extends Pick<
    GuardedServerOptions,
    'headersTimeoutMs' | 'requestTimeoutMs' | 'maxConnections' | 'connectionBytes'
  > {
  /** Limits for request bodies being received and responses being sent. */
  readonly uploads: TransferLimits;
  readonly downloads: TransferLimits;
}

export interface ListenOptions extends HttpServerOptions {
  readonly port: number;
  readonly host: string;
}

export async function listen(
  served: ServedOptions,
  { port, host, ...options }: ListenOptions,
): Promise<HttpServer & Address> {
  const server = createHttpServer(served, options);
  return { ...server, ...(await server.listen(port, host)) };
}

export function createHttpServer(handlerOptions: ServedOptions, options: HttpServerOptions): HttpServer {
  let isDraining = false;
  const { startQueue = new StartQueue(), log } = handlerOptions;
  const admission = new Admission(handlerOptions.maxOperations);
  const uploads = new Transfers(options.uploads);
  const downloads = new Transfers(options.downloads);
  const readiness = () => {
    if (isDraining) return 'stopping';
    return admission.isStuck ? 'overloaded' : 'ready';
  };
  const server = createGuardedServer({
    ...options,
    handle: createHandler({
      ...handlerOptions,
      routes: [createProbes(readiness), ...handlerOptions.routes],
      admission,
      startQueue,
      uploads,
      downloads,
    }),
    onConnection: () => startQueue.onConnection(),
    onFault: (error) => log('error', 'connection closed by a fault', faultDetails(error)),
    vary: varyFor(handlerOptions.corsOrigins),
  });

  const leaveRotation = () => {
    isDraining = true;
  };

  return {
    listen: server.listen,
    accept: server.accept,
    leaveRotation,
    readiness,
    stats: () => {
      const { connections, connectionBytes } = server.stats();
      return {
        connections,
        operationsInFlight: admission.inFlight,
        memory: {
          connections: connectionBytes,
          uploads: uploads.heldBytes,
          downloads: downloads.heldBytes,
        },
      };
    },
    async drain(graceMs, delayMs = 0) {
      leaveRotation();
      await sleep(delayMs);
      await server.drain(graceMs);
    },
  };
}
