import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { createLogger } from '../../telemetry/log.ts';
import { startTimeMetric } from '../../telemetry/metrics/process-metrics.ts';
import { logLinesDropped } from '../../telemetry/metrics/state-metrics.ts';
import { listenAdmin } from '../http/admin.ts';
import { createOperatorPages, factsOf, restServiceOf } from '../pages.ts';
import { announce, greetingAt, onStopSignal } from '../serve.ts';
import { startEmbeddedService } from '../service.ts';
import { type Listener, listenFor } from './dispatcher.ts';
import { Primary } from './primary.ts';
import { EMBEDDED_URL, WORKER_SECRET } from './worker.ts';

/** What a worker may take beyond its grace period: to close connections, to send spans, to write its log. */
const STOP_MARGIN_MS = 5_000;

/** The primary as a process: it listens, obeys signals, and ends when no worker is left. It serves operators alone. */
export async function runPrimary(config: Config): Promise<void> {
  const { workers, restUrl, logLevel, logFormat, host, port, adminPort, drainDelayMs } = config;
  const { event: log, writer } = createLogger(logLevel, process.stdout, logFormat, { pid: process.pid });
  const demo = restUrl === undefined ? await startEmbeddedService(config) : undefined;
  let listener: Listener | undefined;
  let isStopping = false;

  async function exit(status: number): Promise<never> {
    await writer.end();
    process.exit(status);
  }

  const ownMetrics = [startTimeMetric(), logLinesDropped(() => writer.dropped)];
  const primary = new Primary({
    workers,
    log,
    forward: writer.write,
    stopMs: config.graceMs + STOP_MARGIN_MS,
    // Within its grace period.
    replaceSpreadMs: config.graceMs / 2,
    metrics: () => ownMetrics.map((metric) => metric.collect()),
    env: {
      [WORKER_SECRET]: randomBytes(32).toString('base64url'),
      // A worker writes to the primary, and does not see whether that writes to a terminal.
      LOG: logLevel,
      LOG_FORMAT: logFormat,
      ...(demo && { [EMBEDDED_URL]: demo.url }),
    },
    onFailure(reason) {
      console.error(reason);
      void exit(1);
    },
  });

  async function stop(): Promise<void> {
    isStopping = true;
    log('info', 'stopping');
    const delayMs = listener ? drainDelayMs : 0;
    primary.leaveRotation(delayMs);
    await sleep(delayMs);
    await listener?.close();
    await primary.stop();
    log('info', 'stopped');
    await exit(0);
  }
  onStopSignal(
    () => void stop(),
    () => {
      primary.kill();
      process.exit(1);
    },
  );
  process.on('SIGHUP', () => void primary.replaceAll());

  await primary.start();
  try {
    listener = await listenFor(port, host, (socket) => primary.handOut(socket));
    if (adminPort !== undefined) {
      const readiness = () => (isStopping ? 'stopping' : primary.isServing ? 'ready' : 'overloaded');
      const metrics = config.metrics ? { collect: () => primary.collect(), isFromStart: true } : undefined;
      const { admin } = createOperatorPages(metrics, true, readiness, restServiceOf(config));
      await listenAdmin(admin, adminPort, host, log);
    }
  } catch (error) {
    primary.kill();
    throw error;
  }
  const facts = factsOf(restUrl === undefined, config.trustedDocuments !== undefined);
  announce({ ...greetingAt(listener, facts, config), log }, config, { workers });
}
