import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { SharedBoard } from '../../sharing/board.ts';
import type { Log } from '../../telemetry/log.ts';
import type { MetricFamily } from '../../telemetry/metrics/metrics.ts';
import { Channel, type PrimaryCalls, type WorkerCalls, within } from './channel.ts';
import { createBackoff, forwardLines } from './child-process.ts';
import { Collector } from './collector.ts';
import { Dispatcher } from './dispatcher.ts';

/** How long connections that were just accepted may wait for a worker when all have to stop. */
const HAND_OUT_MS = 1_000;
/** A worker that has not taken a connection by then may have lost it. */
const TAKE_MS = 100;
/** A worker that has not dropped what it had by then is stuck, and serves nobody meanwhile. */
const DROP_MS = 50;

export interface PrimaryOptions {
  readonly workers: number;
  readonly log: Log;
  readonly forward: (lines: string, count: number) => void;
  /** Variables that tell a worker what the primary has started. */
  readonly env: { readonly [name: string]: string };
  /** How long a worker takes to stop at most; one that takes longer is stuck, and killed. */
  readonly stopMs: number;
  /** What the ends of a worker's streams of changes are spread over when it is replaced. */
  readonly replaceSpreadMs: number;
  readonly metrics: () => readonly MetricFamily[];
  readonly onFailure: (reason: string) => void;
}

interface Member {
  readonly child: ChildProcess;
  readonly channel: Channel<WorkerCalls>;
  readonly metrics: () => Promise<readonly MetricFamily[] | undefined>;
  readonly startedAt: number;
  readonly ended: Promise<unknown[]>;
  state: 'starting' | 'serving' | 'stopping';
  /** It is stuck, and has missed what it had to drop. */
  isToDropAll: boolean;
}

/** Starts workers, hands them connections in turn, and watches them: one that ends is replaced. */
export class Primary {
  readonly #options: PrimaryOptions;
  readonly #members = new Set<Member>();
  readonly #collector = new Collector();
  readonly #board = new SharedBoard();
  readonly #delayAfter = createBackoff();
  readonly #dispatcher = new Dispatcher<Member>(({ channel }, socket) => handOver(channel, socket));
  readonly #changes = new EventEmitter();
  /** While it is `leaving` the rotation, workers that end are still replaced. */
  #state: 'serving' | 'leaving' | 'stopping' = 'serving';
  #hasServed = false;
  #replacing: Promise<void> | undefined;

  constructor(options: PrimaryOptions) {
    this.#options = options;
    cluster.setupPrimary({ silent: true });
  }

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

  /** All workers do; other requests than those for `/ready` are served as before. */
  leaveRotation(spreadMs: number): void {
    this.#state = 'leaving';
    for (const { channel } of this.#members) void channel.call('leaveRotation', spreadMs);
  }

  /** Lets all workers finish what is in flight. */
  async stop(): Promise<void> {
    this.#state = 'stopping';
    await this.#dispatcher.empty(HAND_OUT_MS);
    const members = [...this.#members];
    for (const member of members) void this.#stopMember(member, 0);
    await Promise.all(members.map(({ ended }) => ended));
  }

  kill(): void {
    this.#state = 'stopping';
    for (const member of this.#members) {
      member.state = 'stopping';
      member.child.kill('SIGKILL');
    }
  }

  /** Replaces the workers one by one, each when its successor serves. */
  async replaceAll(): Promise<void> {
    if (this.#state !== 'serving') return;
    this.#replacing ??= this.#replaceEach().finally(() => {
      this.#replacing = undefined;
    });
    await this.#replacing;
  }

  collect(): Promise<MetricFamily[]> {
    return this.#collector.collect(this.#serving(), this.#options.metrics());
  }

  async #replaceEach(): Promise<void> {
    const { log, replaceSpreadMs } = this.#options;
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
      void this.#stopMember(old, replaceSpreadMs);
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
    const { env, forward } = this.#options;
    const { process: child } = cluster.fork(env);
    if (child.stdout) forwardLines(child.stdout, forward);
    child.stderr?.pipe(process.stderr, { end: false });
    let failure: string | undefined;
    const calls: PrimaryCalls = {
      ready: () => this.#ready(member),
      failed(reason) {
        failure ??= reason;
      },
      collect: () => this.collect(),
      move: (...args) => this.#board.move(...args),
      reserve: (...args) => this.#board.reserve(...args),
      dropElsewhere: (credential) => this.#drop(credential, member),
    };
    const channel = new Channel<WorkerCalls>(child, calls);
    const ended = once(child, 'exit');
    void ended.then(([code, signal]) => this.#ended(member, failure ?? signal ?? `status ${code}`));
    const startedAt = performance.now();
    const metrics = async () => (channel.isFull ? undefined : channel.call('metrics'));
    const member: Member = {
      child,
      channel,
      metrics,
      startedAt,
      ended,
      state: 'starting',
      isToDropAll: false,
    };
    this.#members.add(member);
    return member;
  }

  #ready(member: Member): void {
    if (member.state !== 'starting') return;
    member.state = 'serving';
    this.#hasServed = true;
    this.#options.log('info', 'worker ready', { pid: member.child.pid });
    // It has no streams yet.
    if (this.#state === 'leaving') void member.channel.call('leaveRotation', 0);
    this.#dispatcher.join(member);
    this.#changes.emit('change');
  }

  #ended(member: Member, reason: string): void {
    this.#members.delete(member);
    this.#collector.retire(member);
    void this.#dispatcher.leave(member);
    this.#changes.emit('change');
    if (member.state === 'stopping') return;
    const { log, onFailure, workers } = this.#options;
    log('error', 'worker ended', { pid: member.child.pid, reason });
    // Where one has served, all of them ended by what they were asked, and others would serve again.
    if (this.#members.size === 0 && !this.#hasServed) {
      onFailure(`All workers have ended: ${reason}`);
      return;
    }
    const delay = this.#delayAfter(performance.now() - member.startedAt);
    setTimeout(() => {
      const remaining = [...this.#members].filter(({ state }) => state !== 'stopping');
      // A worker that was to replace another is not missed.
      if (!this.#isStopping && remaining.length < workers) this.#fork();
    }, delay);
  }

  async #stopMember(member: Member, spreadMs: number): Promise<void> {
    const { child, channel, ended, state } = member;
    // One that is being replaced finishes what is in flight, also if all have to stop meanwhile.
    if (state === 'stopping') return;
    member.state = 'stopping';
    this.#changes.emit('change');
    // It does not listen to messages yet, and has nothing in flight.
    if (state === 'starting') return void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      this.#options.log('error', 'worker does not stop, and is killed', { pid: child.pid });
      child.kill('SIGKILL');
    }, this.#options.stopMs);
    void ended.then(() => clearTimeout(timer));
    await this.#dispatcher.leave(member);
    const families = await channel.call('stop', spreadMs);
    if (families) this.#collector.add(member, families);
    // Node ends a worker that has lost its primary.
    if (child.connected) child.disconnect();
  }

  async #drop(credential: string, asker: Member): Promise<void> {
    // One that is starting has read nothing yet.
    const others = [...this.#members].filter((member) => member !== asker && member.state !== 'starting');
    await Promise.all(others.map((member) => within(DROP_MS, dropAt(member, credential))));
  }

  /** Waits for a change of the workers that makes it true. */
  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await once(this.#changes, 'change');
  }
}

/** Asks only after a while: a worker that can open no more files then gets few of those that others could take. */
async function handOver(channel: Channel<WorkerCalls>, socket: Socket): Promise<void> {
  const timer = setTimeout(() => void channel.call('take', undefined), TAKE_MS);
  await channel.call('take', socket);
  clearTimeout(timer);
}

/** A worker that is stuck is told to drop everything, once it answers what it was asked before. */
async function dropAt(member: Member, credential: string): Promise<void> {
  const { channel } = member;
  if (!channel.isFull) return channel.call('drop', credential);
  if (member.isToDropAll) return;
  member.isToDropAll = true;
  await channel.call('dropAll');
  member.isToDropAll = false;
}
