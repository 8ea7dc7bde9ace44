import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { createLogger } from '../telemetry/log.ts';
import { gauge, type MetricFamily, mergeFamilies } from '../telemetry/metrics/metrics.ts';
import { startTimeMetric } from '../telemetry/metrics/process-metrics.ts';
import { listenAdmin, listenOn, stopListening } from './node-server.ts';
import { announce, createService, onStopSignal, operatorPages, startEmbeddedService } from './serve.ts';

/** Set by the primary: the address of its embedded REST service, or nothing. */
const WORKER = 'RECEIVABLES_WORKER';
export const isOurWorker = () => process.env[WORKER] !== undefined && process.send !== undefined;

/** How often workers send their metrics. Nor is one replaced at once: one that cannot live would take a whole processor. */
const PAUSE_MS = 1_000;

/** What a worker tells the primary: the first tells that it serves. */
type Families = readonly MetricFamily[];
/** What the primary tells a worker: to end streams or to stop, over so many milliseconds, and the metrics of all. */
type ToWorker = { readonly leave?: number; readonly stop?: number; readonly ofAll?: Families };

/** Listens, hands connections to workers, obeys signals, and serves operators alone. A worker that ends is replaced. */
export async function runPrimary(config: Config): Promise<void> {
  const { log, end: endLog, droppedMetric } = createLogger(config);
  const demo = config.restUrl ? undefined : await startEmbeddedService(config);
  const env = { ...process.env, [WORKER]: demo?.url ?? '' };
  /** With the metrics that each has told last. */
  const workers = new Map<ChildProcess, Families>();
  /** Those that serve, and have not been told to stop, in the order in which they get connections. */
  const serving = new Set<ChildProcess>();
  /** Connections that have not been sent yet, and who gets them. */
  const unsent = new Map<Socket, ChildProcess>();
  let isStopping = false;
  /** Workers are started one after the other, so that there are never more than are wanted. */
  let changes: Promise<void> = Promise.resolve();

  const running = gauge('receivables_workers', 'Workers that serve.', () => serving.size);
  const own = [startTimeMetric(), droppedMetric, running];
  let retired: Families = [];
  const collect = () => mergeFamilies([...workers.values(), retired, own.map((metric) => metric.collect())]);

  const exit = (status: number) => endLog().then(() => process.exit(status));
  // One that has ended meanwhile is told nothing.
  const tell = (worker: ChildProcess, message: ToWorker) => worker.send(message, () => {});

  /** Starts a worker; returns whether it serves, or else has ended. */
  async function start(): Promise<boolean> {
    const worker = fork(process.argv[1] ?? '', process.argv.slice(2), { env });
    workers.set(worker, []);
    worker.on('close', async (code, signal) => {
      // What it has counted stays: to Prometheus, a lower total is a restart.
      retired = mergeFamilies([retired, workers.get(worker)?.filter(({ type }) => type !== 'gauge') ?? []]);
      workers.delete(worker);
      for (const [socket, receiver] of unsent) if (receiver === worker) unsent.delete(socket.destroy());
      if (!serving.delete(worker)) return;
      log('error', 'worker ended', { worker: worker.pid, reason: signal ?? `status ${code}` });
      await sleep(PAUSE_MS);
      changes = changes.then(startMissing);
    });
    worker.on('message', (metrics: Families) => {
      workers.set(worker, metrics);
      tell(worker, { ofAll: collect() });
    });
    await Promise.race([once(worker, 'message'), once(worker, 'close')]);
    if (isStopping) return false;
    const isReady = workers.has(worker);
    if (isReady) serving.add(worker);
    log(isReady ? 'info' : 'error', `worker ${isReady ? 'ready' : 'does not start'}`, { worker: worker.pid });
    return isReady;
  }

  async function startMissing(): Promise<void> {
    while (!isStopping && serving.size < config.workers) if (!(await start())) await sleep(PAUSE_MS);
  }

  /** It finishes what is in flight. */
  async function stopWorker(worker: ChildProcess, spreadMs: number): Promise<void> {
    serving.delete(worker);
    tell(worker, { stop: spreadMs });
    if (workers.has(worker)) await once(worker, 'close');
  }

  /** Replaces the workers one by one, each when its successor serves. Streams of the old one end within its grace period. */
  async function replaceAll(): Promise<void> {
    for (const old of [...serving]) {
      if (isStopping || !(await start())) return;
      await stopWorker(old, config.graceMs / 2);
    }
    log('info', 'workers replaced');
  }

  async function stop(): Promise<void> {
    isStopping = true;
    log('info', 'stopping');
    for (const worker of workers.keys()) tell(worker, { leave: config.drainDelayMs });
    await sleep(config.drainDelayMs);
    // Before they are told to stop: a connection that comes then would find nobody.
    await stopListening(listener);
    await Promise.all(Array.from(workers.keys(), (worker) => stopWorker(worker, 0)));
    log('info', 'stopped');
    await exit(0);
  }

  // Nothing is read here, so all of it is left for the worker.
  const listener = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (socket) => {
    const [next] = serving;
    if (next === undefined) return void socket.destroy();
    serving.delete(next);
    serving.add(next);
    unsent.set(socket, next);
    // Its copy is open once this one has been sent.
    next.send({}, socket, { keepOpen: true }, () => unsent.delete(socket.destroy()));
  });
  onStopSignal(stop, () => exit(1));
  process.on('SIGHUP', () => {
    changes = changes.then(replaceAll);
  });
  const started = await Promise.all(Array.from({ length: config.workers }, start));
  if (isStopping) return;
  if (started.includes(false)) return exit(1);
  const address = await listenOn(listener, config.port, config.host);
  const readiness = () => (isStopping ? 'stopping' : serving.size > 0 ? 'ready' : 'overloaded');
  await listenAdmin(operatorPages(config, readiness, collect), config);
  void announce({ address, log }, config, { workers: config.workers });
}

/** A worker as a process: it obeys the primary alone, since a terminal, or a supervisor, signals the whole group. */
export async function runWorker(config: Config) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(1));
  // Its primary has ended while it was loaded.
  if (!process.connected) process.exit(1);
  let all: Families = [];
  const service = await createService(config, process.env[WORKER], { collectAll: () => all });
  const tell = (then = () => {}) => process.send?.(service.metrics(), then);
  process.on('message', async ({ leave, stop, ofAll = all }: ToWorker, socket?: Socket) => {
    all = ofAll;
    if (socket) service.server.accept(socket);
    if (leave !== undefined) service.gateway.endSubscriptions(leave);
    if (stop === undefined) return;
    // The primary has waited for load balancers already.
    await service.stop(0, stop);
    tell(() => process.exit(0));
  });
  setInterval(tell, PAUSE_MS).unref();
  tell();
  return service;
}
