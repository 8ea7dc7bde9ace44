import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { createLogger } from '../telemetry/log.ts';
import { gauge, type MetricFamily, mergeFamilies } from '../telemetry/metrics/metrics.ts';
import { startTimeMetric } from '../telemetry/metrics/process-metrics.ts';
import { listenAdmin, listenOn, stopListening } from './node-server.ts';
import { announce, greetingAt, onStopSignal } from './serve.ts';
import { createService, operatorPages, startEmbeddedService } from './service.ts';

/** Set by the primary: the address of its embedded REST service, or nothing. */
const WORKER = 'RECEIVABLES_WORKER';
const METRICS_MS = 1_000;
/** How long to wait before a worker is replaced, lest one that cannot live takes all of a processor. */
const REPLACE_MS = 1_000;

export function isOurWorker(): boolean {
  return process.env[WORKER] !== undefined && process.send !== undefined;
}

type Families = readonly MetricFamily[];

/** What the primary tells a worker: a connection, which comes with its socket; to leave or to stop; the metrics of all. */
type ToWorker = 'connection' | { readonly leave: number } | { readonly stop: number } | Families;

/** What a worker tells the primary: that it serves; that it has taken a connection; its metrics. */
type FromWorker = 'ready' | 'taken' | Families;

interface Worker {
  readonly child: ChildProcess;
  /** Connections that it has been sent, and has not taken yet. */
  readonly sent: Socket[];
  state: 'starting' | 'serving' | 'stopping';
  metrics: Families;
}

/** Listens, hands connections to workers, obeys signals, and serves operators alone. A worker that ends is replaced. */
export async function runPrimary(config: Config): Promise<void> {
  const { workers: count, restUrl, host, port, adminPort, graceMs } = config;
  const { log, end: endLog, droppedMetric } = createLogger(config);
  const demo = restUrl === undefined ? await startEmbeddedService(config) : undefined;
  const env = { ...process.env, [WORKER]: demo?.url ?? '' };
  const workers = new Set<Worker>();
  let state: 'starting' | 'serving' | 'stopping' = 'starting';

  const serving = () => [...workers].filter((worker) => worker.state === 'serving');
  const running = gauge('receivables_workers', 'Workers that serve.', () => serving().length);
  const own = [startTimeMetric(), droppedMetric, running];
  /** What ended workers counted stays: to Prometheus, a lower total is a restart. */
  let retired: Families = [];
  const collect = () => {
    const ofWorkers = Array.from(workers, ({ metrics }) => metrics);
    return mergeFamilies([...ofWorkers, retired, own.map((metric) => metric.collect())]);
  };

  function send({ child }: Worker, message: ToWorker, socket?: Socket): void {
    // Kept open here until the worker has it: if it ends before, this closes the connection.
    if (child.connected) child.send(message, socket, { keepOpen: true }, () => {});
  }

  /** In turn, and rather to those that have taken what they were sent. */
  function handOut(socket: Socket): void {
    const [next] = serving().sort((one, other) => one.sent.length - other.sent.length);
    if (next === undefined) return void socket.destroy();
    workers.delete(next);
    workers.add(next);
    next.sent.push(socket);
    send(next, 'connection', socket);
  }

  /** Starts a worker, and waits until it serves or has ended. */
  async function start(): Promise<Worker> {
    const child = fork(process.argv[1] ?? '', process.argv.slice(2), { env });
    const worker: Worker = { child, sent: [], state: 'starting', metrics: [] };
    workers.add(worker);
    child.on('exit', (code, signal) => onExit(worker, signal ?? `status ${code}`));
    child.on('message', (message: FromWorker) => {
      if (message === 'taken') worker.sent.shift()?.destroy();
      else if (message === 'ready') worker.state = 'serving';
      else {
        worker.metrics = message;
        send(worker, collect());
      }
    });
    // The first that it says is that it is ready.
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (worker.state === 'serving') log('info', 'worker ready', { worker: child.pid });
    return worker;
  }

  async function onExit(worker: Worker, reason: string): Promise<void> {
    workers.delete(worker);
    for (const socket of worker.sent) socket.destroy();
    retired = mergeFamilies([retired, worker.metrics.filter(({ type }) => type !== 'gauge')]);
    if (worker.state === 'stopping') return;
    log('error', 'worker ended', { worker: worker.child.pid, reason });
    if (state === 'starting') return exit(1);
    await sleep(REPLACE_MS);
    const others = [...workers].filter((one) => one.state !== 'stopping');
    if (state === 'serving' && others.length < count) void start();
  }

  /** Lets a worker finish what is in flight; one that does not serve yet has nothing. */
  async function stopWorker(worker: Worker, spreadMs: number): Promise<void> {
    if (!workers.has(worker)) return;
    const exited = once(worker.child, 'exit');
    if (worker.state === 'starting') worker.child.kill('SIGKILL');
    else send(worker, { stop: spreadMs });
    worker.state = 'stopping';
    await exited;
  }

  /** Replaces the workers one by one, each when its successor serves. */
  async function replaceAll(): Promise<void> {
    log('info', 'replacing workers');
    for (const old of serving()) {
      if (state !== 'serving') return;
      if ((await start()).state !== 'serving')
        return log('error', 'the replacement does not start, so the other workers stay');
      // Its streams end within its grace period.
      await stopWorker(old, graceMs / 2);
    }
    log('info', 'workers replaced');
  }

  async function stop(): Promise<void> {
    const delayMs = state === 'serving' ? config.drainDelayMs : 0;
    state = 'stopping';
    log('info', 'stopping');
    for (const worker of workers) send(worker, { leave: delayMs });
    await sleep(delayMs);
    // Before they are told to stop: a connection that comes then would find nobody.
    if (listener.listening) await stopListening(listener);
    await Promise.all(Array.from(workers, (worker) => stopWorker(worker, 0)));
    log('info', 'stopped');
    await exit(0);
  }

  async function exit(status: number): Promise<void> {
    for (const { child } of workers) child.kill('SIGKILL');
    await endLog();
    process.exit(status);
  }

  // Nothing is read here, so all of it is left for the worker.
  const listener = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, handOut);
  onStopSignal(stop, () => exit(1));
  process.on('SIGHUP', replaceAll);
  await Promise.all(Array.from({ length: count }, start));
  // One has ended, or all were told to: then so does this.
  if (serving().length < count) return;
  const address = await listenOn(listener, port, host);
  state = 'serving';
  const readiness = () => (state !== 'serving' ? 'stopping' : serving().length > 0 ? 'ready' : 'overloaded');
  const operators = operatorPages(config, readiness, collect);
  if (adminPort !== undefined) await listenAdmin(operators, adminPort, host);
  void announce({ ...greetingAt(address, config), log }, config, { workers: count });
}

/** A worker as a process: it obeys the primary alone, since a terminal, or a supervisor, signals the whole group. */
export async function runWorker(config: Config) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(1));
  let all: Families = [];
  const embeddedUrl = process.env[WORKER] || undefined;
  const service = await createService(config, { embeddedUrl, collectAll: () => all });
  const { server, metrics } = service;
  const tell = (message: FromWorker, then = () => {}) => void process.send?.(message, then);
  process.on('message', async (message: ToWorker, socket?: Socket) => {
    if (message === 'connection') {
      // Its client may have left on the way.
      if (socket) server.accept(socket);
      tell('taken');
    } else if ('leave' in message) server.leaveRotation(message.leave);
    else if ('stop' in message) {
      // The primary has waited for load balancers already.
      await service.stop(0, message.stop);
      tell(metrics(), () => process.exit(0));
    } else all = message;
  });
  setInterval(() => tell(metrics()), METRICS_MS).unref();
  tell('ready');
  tell(metrics());
  return service;
}
