import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import type { Log } from '../../telemetry/log.ts';
import type { MetricFamily } from '../../telemetry/metrics/metrics.ts';
import { Backoff, forwardLines } from './child-process.ts';
import { Collector, type MetricsSource } from './collector.ts';
import { Dispatcher } from './dispatcher.ts';
import {
  createSharingDesk,
  isMessage,
  type PrimaryMessage,
  Questions,
  type SharingRequest,
  type WorkerMessage,
} from './messages.ts';

/** How long connections that were just accepted may wait for a worker when all have to stop. */
const HAND_OUT_MS = 1_000;
/** A worker that has not dropped what it had by then is stuck, and serves nobody meanwhile. */
const DROP_MS = 50;

export interface PrimaryOptions {
  readonly workers: number;
  readonly log: Log;
  /** Gets the log lines of workers. */
  readonly forward: (lines: string, count: number) => void;
  /** Variables that tell a worker what the primary has started. */
  readonly env: { readonly [name: string]: string };
  /** How long a worker takes to stop at most; one that takes longer is stuck, and killed. */
  readonly stopMs: number;
  /** What the ends of a worker's streams of changes are spread over when it is replaced. */
  readonly replaceSpreadMs: number;
  /** The primary's own metrics. */
  readonly metrics: () => readonly MetricFamily[];
  /** Called when no worker is left. */
  readonly onFailure: (reason: string) => void;
}

interface Member extends MetricsSource {
  readonly worker: Worker;
  readonly startedAt: number;
  readonly ended: Promise<void>;
  /** `serving` workers get connections. */
  state: 'starting' | 'serving' | 'stopping';
}

/** Starts workers, hands them connections in turn, and watches them: one that ends is replaced. */
export class Primary {
  readonly #options: PrimaryOptions;
  readonly #members = new Set<Member>();
  readonly #collector = new Collector();
  readonly #drops = new Questions<Member>(DROP_MS);
  readonly #desk = createSharingDesk(async (credential, asker) => {
    const others = [...this.#members].filter((member) => member !== asker);
    await this.#drops.ask(others, (member, id) => send(member.worker, { type: 'drop', id, credential }));
  });
  readonly #backoff = new Backoff();
  #hasServed = false;
  readonly #dispatcher = new Dispatcher<Member>(({ worker }, socket) => sendConnection(worker, socket));
  /** While it is `leaving` the rotation, workers that end are still replaced. */
  #state: 'serving' | 'leaving' | 'stopping' = 'serving';
  #replacing: Promise<void> | undefined;
  #onChange: () => void = () => {};

  constructor(options: PrimaryOptions) {
    this.#options = options;
    cluster.setupPrimary({ silent: true });
  }

  /** Resolves when all workers serve. */
  async start(): Promise<void> {
    for (let count = 0; count < this.#options.workers; count += 1) this.#fork();
    await this.#until(() => this.#serving().length === this.#options.workers);
  }

  get isServing(): boolean {
    return this.#serving().length > 0;
  }

  handOut(socket: Socket): void {
    this.#dispatcher.add(socket);
  }

  /**
   * `/ready` fails from now on, and streams of changes end, spread over so many milliseconds; other requests are
   * served as before.
   */
  leaveRotation(spreadMs: number): void {
    this.#state = 'leaving';
    for (const { worker } of this.#members) send(worker, { type: 'leave-rotation', spreadMs });
  }

  /** Lets all workers finish what is in flight. */
  async stop(): Promise<void> {
    this.#state = 'stopping';
    await this.#dispatcher.empty(HAND_OUT_MS);
    const members = [...this.#members];
    for (const member of members) this.#stopMember(member, 0);
    await Promise.all(members.map(({ ended }) => ended));
  }

  /** Ends all workers at once. */
  kill(): void {
    this.#state = 'stopping';
    for (const member of this.#members) {
      member.state = 'stopping';
      member.worker.process.kill('SIGKILL');
    }
  }

  /** Replaces the workers one by one, each when its successor serves. */
  replaceAll(): Promise<void> {
    if (this.#state !== 'serving') return Promise.resolve();
    this.#replacing ??= this.#replaceEach().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  /** The metrics of all workers. */
  collect(): Promise<MetricFamily[]> {
    return this.#collector.collect(this.#serving(), this.#options.metrics());
  }

  async #replaceEach(): Promise<void> {
    const { log } = this.#options;
    log('info', 'replacing workers');
    for (const old of [...this.#members]) {
      if (this.#state !== 'serving') return;
      if (!this.#members.has(old)) continue;
      const successor = this.#fork();
      await this.#until(() => successor.state !== 'starting' || !this.#members.has(successor));
      if (successor.state !== 'serving') {
        if (!this.#isStopping) log('error', 'the replacement does not start, so the other workers stay');
        return;
      }
      this.#stopMember(old, this.#options.replaceSpreadMs);
      await old.ended;
    }
    log('info', 'workers replaced');
  }

  get #isStopping(): boolean {
    return this.#state === 'stopping';
  }

  #serving(): Member[] {
    return [...this.#members].filter(({ state }) => state === 'serving');
  }

  #fork(): Member {
    const worker = cluster.fork(this.#options.env);
    const { stdout, stderr } = worker.process;
    if (stdout) forwardLines(stdout, this.#options.forward);
    stderr?.pipe(process.stderr, { end: false });
    const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
    const member: Member = {
      worker,
      startedAt: performance.now(),
      ended,
      state: 'starting',
      ask: (id) => send(worker, { type: 'report', id }),
    };
    this.#members.add(member);
    let reason: string | undefined;
    worker.on('message', (message: unknown) => {
      if (!isMessage<WorkerMessage>(message)) return;
      if (message.type === 'ready') this.#ready(member);
      else if (message.type === 'taken') this.#dispatcher.taken(member);
      else if (message.type === 'failed') reason = message.reason;
      else if (message.type === 'share') void this.#share(member, message.id, message.request);
      else if (message.type === 'dropped') this.#drops.answered(message.id, member);
      else if (message.type === 'metrics') this.#collector.add(member, message.families, message.id);
      else void this.#answerCollect(worker, message.id);
    });
    worker.once('exit', (code, signal) => this.#ended(member, reason ?? signal ?? `status ${code}`));
    return member;
  }

  #ready(member: Member): void {
    if (member.state !== 'starting') return;
    member.state = 'serving';
    this.#hasServed = true;
    this.#options.log('info', 'worker ready', { pid: member.worker.process.pid });
    // It has no streams yet.
    if (this.#state === 'leaving') send(member.worker, { type: 'leave-rotation', spreadMs: 0 });
    this.#dispatcher.join(member);
    this.#onChange();
  }

  #ended(member: Member, reason: string): void {
    this.#members.delete(member);
    this.#collector.retire(member);
    this.#drops.forget(member);
    this.#dispatcher.forget(member);
    this.#onChange();
    if (member.state === 'stopping') return;
    const { log, onFailure } = this.#options;
    log('error', 'worker ended', { pid: member.worker.process.pid, reason });
    // Where one has served, all of them ended by what they were asked, and others would serve again.
    if (this.#members.size === 0 && !this.#hasServed) {
      onFailure(`All workers have ended: ${reason}`);
      return;
    }
    const delay = this.#backoff.delayAfter(performance.now() - member.startedAt);
    setTimeout(() => {
      // A worker that was to replace another is not missed.
      if (!this.#isStopping && this.#remaining() < this.#options.workers) this.#fork();
    }, delay);
  }

  #remaining(): number {
    return [...this.#members].filter(({ state }) => state !== 'stopping').length;
  }

  /** It is told when it has taken the connection that may be on its way to it. */
  #stopMember(member: Member, spreadMs: number): void {
    // One that is being replaced finishes what is in flight, also if all have to stop meanwhile.
    if (member.state === 'stopping') return;
    const { process: child } = member.worker;
    const hasServed = member.state === 'serving';
    member.state = 'stopping';
    this.#onChange();
    if (!hasServed) {
      // It does not listen to messages yet, and has nothing in flight.
      child.kill('SIGKILL');
      return;
    }
    this.#dispatcher.leave(member, () => send(member.worker, { type: 'stop', spreadMs }));
    const timer = setTimeout(() => {
      this.#options.log('error', 'worker does not stop, and is killed', { pid: child.pid });
      child.kill('SIGKILL');
    }, this.#options.stopMs);
    void member.ended.then(() => clearTimeout(timer));
  }

  async #share(member: Member, id: number, request: SharingRequest): Promise<void> {
    send(member.worker, { type: 'shared', id, reply: await this.#desk(request, member) });
  }

  async #answerCollect(asker: Worker, id: number): Promise<void> {
    send(asker, { type: 'collected', id, families: await this.collect() });
  }

  /** Waits for a change of the workers that makes it true. */
  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await new Promise<void>((resolve) => {
        const before = this.#onChange;
        this.#onChange = () => {
          before();
          this.#onChange = () => {};
          resolve();
        };
      });
    }
  }
}

function sendConnection(worker: Worker, socket: Socket): void {
  worker.send({ type: 'connection' } satisfies PrimaryMessage, socket, { keepOpen: true }, () => {});
}

/** A worker that has just ended gets no message, which is as good. */
function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
