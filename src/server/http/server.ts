import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Readiness } from '../../pages/status.ts';
import { faultDetails } from '../../telemetry/log.ts';
import { createGuardedServer, type GuardedServerOptions } from './guarded-server.ts';
import { createHandler, type HandlerOptions } from './handler.ts';
import { type TransferLimits, Transfers } from './transfers.ts';

export interface DrainDelays {
  readonly delayMs?: number;
  /** What the ends of streams of changes are spread over, if not the delay. */
  readonly spreadMs?: number;
}

export interface HttpServerOptions
  extends Omit<GuardedServerOptions, 'handle' | 'onFault' | 'onConnection'>,
    HandlerOptions {
  /** Limits for request bodies being received and responses being sent. */
  readonly uploads: TransferLimits;
  readonly downloads: TransferLimits;
}

/** The gateway's own server: a guard in front of Yoga, which takes connections and counts bytes. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions) {
  let isDraining = false;
  const { startQueue, log } = options;
  const uploads = new Transfers(options.uploads);
  const downloads = new Transfers(options.downloads);
  const { handleRequest, settled } = createHandler(gateway, uploads, downloads, options);
  const server = createGuardedServer({
    ...options,
    handle: handleRequest,
    onConnection: () => startQueue.onConnection(),
    onFault: (error) => log('error', 'connection closed by a fault', faultDetails(error)),
  });

  /**
   * From now on `/ready` fails, so that no more clients are sent here. Streams of changes end, spread over so many
   * milliseconds, and no more are opened.
   */
  function leaveRotation(spreadMs: number): void {
    isDraining = true;
    gateway.endSubscriptions(spreadMs);
  }

  return {
    listen: server.listen,
    accept: server.accept,
    leaveRotation,
    readiness: (): Readiness => (isDraining ? 'stopping' : gateway.readiness()),
    /** For metrics: connections, and what is held of each memory budget, in bytes. */
    stats() {
      const { connections, connectionBytes } = server.stats();
      const memory = {
        connections: connectionBytes,
        uploads: uploads.heldBytes,
        downloads: downloads.heldBytes,
      };
      return { connections, memory };
    },
    /**
     * Leaves the rotation; until clients know (`delayMs`), requests are served as before. Then it stops accepting
     * connections, waits for requests in flight, and destroys the remaining connections after `graceMs`.
     */
    async drain(graceMs: number, { delayMs = 0, spreadMs = delayMs }: DrainDelays = {}): Promise<void> {
      leaveRotation(spreadMs);
      await sleep(delayMs);
      await server.drain(graceMs);
    },
    settled,
  };
}
