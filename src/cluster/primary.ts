import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config/index.ts';
import type { Log } from '../telemetry/log.ts';
import { Backoff } from './backoff.ts';
import { Collector } from './collector.ts';
import { isMessage, type PrimaryMessage, type WorkerMessage } from './messages.ts';

/** Variables that tell a worker what the primary has started. */
export interface WorkerEnvironment {
  readonly [name: string]: string;
}

export interface PrimaryOptions {
  readonly workers: Config['workers'];
  readonly log: Log;
  readonly env: WorkerEnvironment;
  /** Called once, when all workers serve. */
  readonly onReady: (first: { readonly url: string; readonly greeting: string }) => void;
  /** Called if no worker can serve. */
  readonly onFailure: (reason: string) => void;
}

interface Member {
  readonly worker: Worker;
  readonly startedAt: number;
  readonly ended: Promise<void>;
  isReady: boolean;
  isStopping: boolean;
}

/**
 * Starts workers and watches them: one that ends is replaced. It serves no requests itself. Node accepts connections
 * here and hands them to the workers in turn.
 */
export class Primary {
  readonly #options: PrimaryOptions;
  readonly #members = new Set<Member>();
  readonly #collector = new Collector();
  readonly #backoff = new Backoff();
  #isStopping = false;
  #isAnnounced = false;
  #replacing: Promise<void> | undefined;
  #onChange: () => void = () => {};

  constructor(options: PrimaryOptions) {
    this.#options = options;
  }

  start(): void {
    for (let count = 0; count < this.#options.workers; count += 1) this.#fork();
  }

  /** Lets all workers finish what is in flight. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const members = [...this.#members];
    for (const member of members) this.#stopMember(member);
    await Promise.all(members.map(({ ended }) => ended));
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const { worker } of this.#members) worker.process.kill('SIGKILL');
  }

  /** Replaces the workers one by one, each when its successor serves. */
  replaceAll(): Promise<void> {
    this.#replacing ??= this.#replaceEach().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  async #replaceEach(): Promise<void> {
    this.#options.log('info', 'replacing workers');
    for (const old of [...this.#members]) {
      if (this.#isStopping || !this.#members.has(old)) continue;
      const successor = this.#fork();
      await this.#until(() => successor.isReady || !this.#members.has(successor) || this.#isStopping);
      if (!successor.isReady) {
        this.#options.log('error', 'the replacement does not start, so the other workers stay');
        return;
      }
      this.#stopMember(old);
      await old.ended;
    }
    this.#options.log('info', 'workers replaced');
  }

  #fork(): Member {
    const worker = cluster.fork(this.#options.env);
    const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
    const member = { worker, startedAt: performance.now(), ended, isReady: false, isStopping: false };
    this.#members.add(member);
    let reason: string | undefined;
    worker.on('message', (message: unknown) => {
      if (!isMessage<WorkerMessage>(message)) return;
      if (message.type === 'ready') this.#ready(member, message);
      else if (message.type === 'failed') reason = message.reason;
      else if (message.type === 'metrics') this.#collector.add(message.id, message.families);
      else void this.#collectFor(worker, message.id);
    });
    worker.once('exit', (code, signal) => this.#ended(member, reason ?? `${signal ?? `status ${code}`}`));
    return member;
  }

  #ready(member: Member, { url, greeting }: { readonly url: string; readonly greeting: string }): void {
    member.isReady = true;
    this.#options.log('info', 'worker ready', { pid: member.worker.process.pid });
    this.#onChange();
    if (this.#isAnnounced || ![...this.#members].every(({ isReady }) => isReady)) return;
    this.#isAnnounced = true;
    this.#options.onReady({ url, greeting });
  }

  #ended(member: Member, reason: string): void {
    this.#members.delete(member);
    this.#onChange();
    if (member.isStopping) return;
    const { log, onFailure } = this.#options;
    log('error', 'worker ended', { pid: member.worker.process.pid, reason });
    if (this.#members.size === 0) {
      onFailure(`All workers have ended: ${reason}`);
      return;
    }
    const delay = this.#backoff.delayAfter(performance.now() - member.startedAt);
    setTimeout(() => {
      if (!this.#isStopping) this.#fork();
    }, delay);
  }

  #stopMember(member: Member): void {
    member.isStopping = true;
    send(member.worker, { type: 'stop' });
  }

  async #collectFor(asker: Worker, id: number): Promise<void> {
    const ready = [...this.#members].filter(({ isReady }) => isReady);
    const families = await this.#collector.collect(
      ready.map(({ worker }) => ({ ask: (reportId) => send(worker, { type: 'report', id: reportId }) })),
    );
    send(asker, { type: 'collected', id, families });
  }

  /** Waits for a change of the workers that makes it true. */
  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }
}

/** A worker that has just ended gets no message, which is as good. */
function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
