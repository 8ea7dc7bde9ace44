import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { createLogger, standardOutput } from '../../telemetry/log.ts';
import { gauge, type MetricFamily, mergeFamilies } from '../../telemetry/metrics/metrics.ts';
import { startTimeMetric } from '../../telemetry/metrics/process-metrics.ts';
import { logLinesDropped } from '../../telemetry/metrics/state-metrics.ts';
import { listenAdmin } from '../admin.ts';
import { listenOn, stopListening } from '../listen.ts';
import { createOperatorPages, factsOf, restServiceOf } from '../pages.ts';
import { announce, greetingAt, onStopSignal } from '../serve.ts';
import { startEmbeddedService } from '../service.ts';
import { type FromWorker, type ToWorker, WORKER } from './worker.ts';

/** What a worker may take beyond its grace period: to close connections, to send spans, to write its log. */
const STOP_MARGIN_MS = 5_000;
/** A worker that has not told its metrics for so long is stuck; what it told last stands for it. */
const SILENT_MS = 3_000;
const POLL_MS = 20;
/** How long to wait before a worker is replaced: twice as long for each that ends soon after its start. */
const [FIRST_DELAY_MS, MAX_DELAY_MS, SOUND_MS] = [100, 10_000, 30_000];

interface Worker {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  readonly startedAt: number;
  /** Connections that it has been sent, and has not taken yet. */
  readonly sent: Map<number, Socket>;
  state: 'starting' | 'serving' | 'stopping';
  metrics: readonly MetricFamily[];
  toldAt: number;
  failure?: string;
}

/** Listens, hands connections to workers, obeys signals, and serves operators alone. A worker that ends is replaced. */
export async function runPrimary(config: Config): Promise<void> {
  const { workers: count, restUrl, logLevel, logFormat, host, port, adminPort, graceMs } = config;
  const common = { pid: process.pid };
  const { event: log, ...logger } = createLogger(logLevel, logFormat, standardOutput(), common);
  const demo = restUrl === undefined ? await startEmbeddedService(config) : undefined;
  // A worker does not see whether the primary writes to a terminal.
  const env = { ...process.env, [WORKER]: demo?.url ?? '', LOG: logLevel, LOG_FORMAT: logFormat };
  const workers = new Set<Worker>();
  /** What ended workers counted stays: to Prometheus, a lower total is a restart. */
  let retired: readonly MetricFamily[] = [];
  let state: 'serving' | 'leaving' | 'stopping' = 'serving';
  let hasServed = false;
  let delay = FIRST_DELAY_MS;
  let connections = 0;

  const serving = () => [...workers].filter((worker) => worker.state === 'serving');
  const ownMetrics = [
    startTimeMetric(),
    logLinesDropped(logger.dropped),
    gauge(
      'receivables_workers',
      'Workers that run, and those that tell their metrics.',
      () => {
        const told = serving().filter(({ toldAt }) => performance.now() - toldAt < SILENT_MS);
        return Object.entries({ running: serving().length, answered: told.length });
      },
      { labels: ['state'] },
    ),
  ];
  const collect = () => {
    const ofWorkers = Array.from(workers, ({ metrics }) => metrics);
    return mergeFamilies([...ofWorkers, retired, ownMetrics.map((metric) => metric.collect())]);
  };
  const send = ({ child }: Worker, message: ToWorker, socket?: Socket) => {
    // Kept open here until the worker has it: if it ends before, this closes the connection.
    if (child.connected) child.send(message, socket, { keepOpen: true }, () => {});
  };

  /** In turn, and rather to those that have taken what they were sent. */
  function handOut(socket: Socket): void {
    const [next] = serving().sort((one, other) => one.sent.size - other.sent.size);
    if (next === undefined) return void socket.destroy();
    workers.delete(next);
    workers.add(next);
    connections += 1;
    next.sent.set(connections, socket);
    send(next, { connection: connections }, socket);
  }

  function start(): Worker {
    const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    // Whole lines: workers that share a pipe tear each other's as soon as its reader falls behind.
    if (child.stdout) createInterface(child.stdout).on('line', (line) => logger.forward(line));
    const exited = once(child, 'exit').then(([code, signal]) => ended(worker, signal ?? `status ${code}`));
    const [sent, startedAt] = [new Map<number, Socket>(), performance.now()];
    const worker: Worker = { child, exited, startedAt, sent, state: 'starting', metrics: [], toldAt: 0 };
    child.on('message', (message: FromWorker) => receive(worker, message));
    workers.add(worker);
    return worker;
  }

  function receive(worker: Worker, message: FromWorker): void {
    if ('taken' in message) {
      worker.sent.get(message.taken)?.destroy();
      worker.sent.delete(message.taken);
    } else if ('metrics' in message) {
      Object.assign(worker, { metrics: message.metrics, toldAt: performance.now() });
      send(worker, { all: collect() });
    } else if ('failed' in message) worker.failure = message.failed;
    else if (worker.state === 'starting') {
      worker.state = 'serving';
      hasServed = true;
      log('info', 'worker ready', { pid: worker.child.pid });
      if (state === 'leaving') send(worker, { leave: 0 });
      worker.child.emit('serving');
    }
  }

  function ended(worker: Worker, status: string): void {
    workers.delete(worker);
    for (const socket of worker.sent.values()) socket.destroy();
    retired = mergeFamilies([retired, worker.metrics.filter(({ type }) => type !== 'gauge')]);
    if (worker.state === 'stopping') return;
    const reason = worker.failure ?? status;
    log('error', 'worker ended', { pid: worker.child.pid, reason });
    if (workers.size === 0 && !hasServed) {
      console.error(`All workers have ended: ${reason}`);
      return void exit(1);
    }
    if (performance.now() - worker.startedAt >= SOUND_MS) delay = FIRST_DELAY_MS;
    setTimeout(() => {
      const others = [...workers].filter((one) => one.state !== 'stopping');
      if (state !== 'stopping' && others.length < count) start();
    }, delay);
    delay = Math.min(MAX_DELAY_MS, delay * 2);
  }

  /** Lets a worker finish what is in flight; one that has not begun to listen has nothing. */
  async function stopWorker(worker: Worker, spreadMs: number): Promise<void> {
    const { child, exited } = worker;
    if (worker.state === 'starting') child.kill('SIGKILL');
    else if (worker.state === 'serving') send(worker, { stop: spreadMs });
    worker.state = 'stopping';
    const timer = setTimeout(() => {
      log('error', 'worker does not stop, and is killed', { pid: child.pid });
      child.kill('SIGKILL');
    }, graceMs + STOP_MARGIN_MS);
    await exited;
    clearTimeout(timer);
  }

  /** Replaces the workers one by one, each when its successor serves. */
  async function replaceAll(): Promise<void> {
    log('info', 'replacing workers');
    for (const old of [...workers]) {
      if (state !== 'serving' || old.state === 'stopping') return;
      const successor = start();
      await Promise.race([once(successor.child, 'serving'), successor.exited]);
      if (successor.state !== 'serving')
        return log('error', 'the replacement does not start, so the other workers stay');
      // Its streams end within its grace period.
      await stopWorker(old, graceMs / 2);
    }
    log('info', 'workers replaced');
  }

  async function stop(): Promise<void> {
    state = 'leaving';
    log('info', 'stopping');
    const delayMs = listener.listening ? config.drainDelayMs : 0;
    for (const worker of workers) send(worker, { leave: delayMs });
    await sleep(delayMs);
    if (listener.listening) await stopListening(listener);
    state = 'stopping';
    await Promise.all(Array.from(workers, (worker) => stopWorker(worker, 0)));
    log('info', 'stopped');
    await exit(0);
  }

  async function exit(status: number): Promise<void> {
    for (const { child } of workers) child.kill('SIGKILL');
    await logger.end();
    process.exit(status);
  }

  // Nothing is read here, so all of it is left for the worker.
  const listener = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, handOut);
  onStopSignal(
    () => void stop(),
    () => void exit(1),
  );
  process.on('SIGHUP', () => void replaceAll());
  for (let started = 0; started < count; started += 1) start();
  while (serving().length < count) await sleep(POLL_MS);
  const address = await listenOn(listener, port, host);
  if (adminPort !== undefined) {
    const readiness = () =>
      state !== 'serving' ? 'stopping' : serving().length > 0 ? 'ready' : 'overloaded';
    const source = config.metrics ? collect : undefined;
    const { admin } = createOperatorPages(source, true, readiness, restServiceOf(config));
    await listenAdmin(admin, adminPort, host, log);
  }
  const facts = factsOf(restUrl === undefined, config.trustedDocuments !== undefined);
  announce({ ...greetingAt(address, facts, config), log }, config, { workers: count });
}
