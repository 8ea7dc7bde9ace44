import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Compression } from '../../http/compression.ts';
import type { Turns } from '../../limits/start-queue.ts';
import type { Readiness } from '../../pages/status.ts';
import { faultDetails, type Log } from '../../telemetry/log.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';
import { createHandler, InFlight } from './handler.ts';
import { createGuardedServer, type GuardedServerOptions, type ListenAddress } from './listen.ts';
import { ResponseSender } from './send.ts';
import { type TransferLimits, Transfers } from './transfers.ts';

/** For metrics. */
interface HttpStats {
  readonly connections: number;
  /** What is held of each memory budget, in bytes. */
  readonly memory: { readonly [budget: string]: number };
}

export interface DrainDelays {
  readonly delayMs?: number;
  /** What the ends of streams of changes are spread over, if not the delay. */
  readonly spreadMs?: number;
}

export interface HttpServer {
  listen(port: number, host: string): Promise<ListenAddress>;
  /** Takes a connection that another process has accepted. */
  accept(socket: Socket): void;
  /**
   * From now on `/ready` fails, so that no more clients are sent here. Streams of changes end, spread over so many
   * milliseconds, and no more are opened.
   */
  leaveRotation(spreadMs: number): void;
  readiness(): Readiness;
  stats(): HttpStats;
  /**
   * Leaves the rotation; until clients know (`delayMs`), requests are served as before. Then it stops accepting
   * connections, waits for requests in flight, and destroys the remaining connections after `graceMs`.
   */
  drain(graceMs: number, delays?: DrainDelays): Promise<void>;
  /** Resolves when the end of each request has been logged and counted: some outlive their connections. */
  settled(): Promise<void>;
}

export interface HttpServerOptions
  extends Pick<
    GuardedServerOptions,
    'headersTimeoutMs' | 'requestTimeoutMs' | 'maxConnections' | 'connectionBytes'
  > {
  /** Limits for request bodies being received and responses being sent. */
  readonly uploads: TransferLimits;
  readonly downloads: TransferLimits;
  readonly compression: Compression;
  /** The one that the gateway starts its operations by. */
  readonly startQueue: Turns;
  readonly log: Log;
  readonly telemetry?: RequestTelemetry | undefined;
}

/** The gateway's own server: a guard in front of Yoga, which takes connections and counts bytes. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions): HttpServer {
  let isDraining = false;
  const { startQueue, compression, log, telemetry } = options;
  const uploads = new Transfers(options.uploads);
  const downloads = new Transfers(options.downloads);
  const inFlight = new InFlight();
  const sender = new ResponseSender(downloads, compression);
  const server = createGuardedServer({
    ...options,
    handle: createHandler({ gateway, uploads, downloads, sender, inFlight, startQueue, log, telemetry }),
    onConnection: () => startQueue.onConnection(),
    onFault: (error) => log('error', 'connection closed by a fault', faultDetails(error)),
  });

  const leaveRotation = (spreadMs: number) => {
    isDraining = true;
    gateway.endSubscriptions(spreadMs);
  };

  return {
    listen: server.listen,
    accept: server.accept,
    leaveRotation,
    readiness: () => (isDraining ? 'stopping' : gateway.readiness()),
    stats: () => {
      const { connections, connectionBytes } = server.stats();
      return {
        connections,
        memory: {
          connections: connectionBytes,
          uploads: uploads.heldBytes,
          downloads: downloads.heldBytes,
        },
      };
    },
    async drain(graceMs, { delayMs = 0, spreadMs = delayMs } = {}) {
      leaveRotation(spreadMs);
      await sleep(delayMs);
      await server.drain(graceMs);
    },
    settled: () => inFlight.none(),
  };
}
