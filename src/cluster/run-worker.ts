import cluster from 'node:cluster';
import type { Config } from '../config/index.ts';
import type { Builds } from '../serve/pages.ts';
import { type Running, serve } from '../serve/serve.ts';
import { faultDetails } from '../telemetry/fault.ts';
import { PrimaryChannel } from './worker.ts';

/** Set by the primary, since a process manager may start the gateway as a worker of its own. */
export const WORKER_MARK = 'RECEIVABLES_WORKER';
/** The embedded REST service of the primary, so that all workers show the same data. */
export const EMBEDDED_URL = 'RECEIVABLES_EMBEDDED_URL';

export function isOurWorker(): boolean {
  return cluster.isWorker && process.env[WORKER_MARK] !== undefined;
}

/** A worker as a process: it obeys the primary alone. */
export async function runWorker(
  config: Config,
  builds: Builds,
  problemOf: (error: unknown) => string | undefined,
): Promise<void> {
  const channel = new PrimaryChannel();
  let running: Running | undefined;
  const fail = (error: unknown) => {
    running?.flushLog();
    channel.send({ type: 'failed', reason: problemOf(error) ?? JSON.stringify(faultDetails(error)) });
    // Leaves the message a moment to get away.
    setImmediate(() => process.exit(1));
  };
  process.on('uncaughtException', fail);
  let isStopping = false;
  channel.listen({
    metrics: () => running?.metrics() ?? [],
    async onStop() {
      if (isStopping) return;
      isStopping = true;
      await running?.stop();
      process.exit(0);
    },
  });
  try {
    running = await serve(config, builds, {
      embeddedUrl: process.env[EMBEDDED_URL],
      collectAll: () => channel.collect(),
    });
    channel.send({ type: 'ready', url: running.url, greeting: running.greeting });
  } catch (error) {
    fail(error);
  }
}
