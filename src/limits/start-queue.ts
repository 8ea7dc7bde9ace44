import { AcceptingTurns } from './accepting-turns.ts';
import { FairQueue } from './fair-queue.ts';
import { addressOf } from './owner.ts';
import { leaveTurnsToConnections } from './time-slice.ts';

/** Time per event loop turn for starting operations. */
const SLICE_MS = 5;

const RESOLVED = Promise.resolve();

/**
 * Groups share the time equally: callers with many addresses are many owners, and must delay neither probes nor
 * credentials that the service has accepted.
 */
export type StartGroup = 'probes' | 'credentials' | 'addresses';

export interface Leaver {
  /** Called once if the client leaves. */
  onLeave: (() => void) | undefined;
}

export type Turns = Pick<StartQueue, 'enter' | 'isFull' | 'onConnection'>;

/**
 * Schedules the start of operations, whose synchronous part takes up to a tenth of a second, and the sending of pages
 * and error responses. Once they have used `SLICE_MS` of an event loop turn, the others are queued for the next turns,
 * in which one that asks for little does not wait for those that ask for much. Time spent on anything else does not
 * count: otherwise operations would hardly start in turns that are long for other reasons.
 */
export class StartQueue {
  readonly #now: () => number;
  readonly #waiting = new FairQueue();
  #usedMs = 0;
  /**
   * When a start of an address took long, nothing of addresses starts for as long again. Credentials owe nothing: the
   * operations of an array share their calls if they start together.
   */
  #owesUntil = 0;
  #isTurnScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the last start took longer than a turn: then connections that are pending come before the next. */
  #wasLong = false;
  /** Whether something has just started: how long it takes is not known yet. */
  #isMeasuring = false;
  /** Who has waited for the turn that is being measured: what it enters next is a part of it. */
  #inTurn: Leaver | undefined;
  readonly #accepting: AcceptingTurns;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#accepting = new AcceptingTurns(now);
  }

  /** Whether whoever comes now has to wait. */
  get isFull(): boolean {
    if (!this.#waiting.isEmpty || this.#usedMs >= SLICE_MS || this.#isMeasuring) return true;
    return this.#wasLong && this.#accepting.areComing;
  }

  /** Undefined to start at once, or a promise; it resolves too if the client leaves, who would be counted nowhere. */
  enter(owner: string, group: StartGroup, client: Leaver): Promise<void> | undefined {
    if (client === this.#inTurn) {
      this.#inTurn = undefined;
      return undefined;
    }
    this.#scheduleTurn();
    const path = group === 'credentials' ? [group, addressOf(owner), owner] : [group, owner];
    if (!this.isFull && !this.#owes(group)) {
      this.#measure(path);
      return undefined;
    }
    return new Promise((resolve) => {
      const start = () => {
        this.#inTurn = client;
        client.onLeave = undefined;
        resolve();
      };
      client.onLeave = () => {
        this.#waiting.remove(path, start);
        client.onLeave = undefined;
        resolve();
      };
      this.#waiting.add(path, start);
    });
  }

  /** Leaves this event loop turn, and a limited number of those that follow, to the connections that are pending. */
  onConnection(): void {
    this.#accepting.onConnection();
    leaveTurnsToConnections();
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    setImmediate(() => this.#runTurn());
  }

  async #runTurn(): Promise<void> {
    this.#isTurnScheduled = false;
    this.#usedMs = 0;
    if (this.#accepting.takeTurn() && !this.#waiting.isEmpty) return this.#scheduleTurn();
    while (this.#usedMs < SLICE_MS) {
      const next = this.#waiting.takeNext((group) => !this.#owes(group));
      if (next === undefined) return this.#scheduleLater();
      const measured = new Promise<void>((resolve) => this.#measure(next.path, resolve));
      next.start();
      await measured;
    }
    if (!this.#waiting.isEmpty) this.#scheduleTurn();
  }

  /** Where only those are left that owe time, if anybody: turns in which nothing starts would take a processor. */
  #scheduleLater(): void {
    if (this.#waiting.isEmpty) return;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#scheduleTurn();
      },
      Math.ceil(this.#owesUntil - this.#now()),
    );
  }

  /** Measures the time from now until all microtasks that follow have run. */
  #measure(path: readonly string[], onEnd?: () => void): void {
    const start = this.#now();
    this.#isMeasuring = true;
    // Promise continuations run as microtasks, and `nextTick` callbacks run after those. `queueMicrotask` would create
    // an async resource for each operation.
    RESOLVED.then(() =>
      process.nextTick(() => {
        const end = this.#now();
        const milliseconds = end - start;
        this.#isMeasuring = false;
        this.#inTurn = undefined;
        this.#usedMs += milliseconds;
        this.#wasLong = milliseconds > SLICE_MS;
        if (path[0] === 'addresses') this.#owesUntil = end + Math.max(0, milliseconds - SLICE_MS);
        this.#waiting.count(path, milliseconds);
        onEnd?.();
      }),
    );
  }

  #owes(group: string): boolean {
    return group === 'addresses' && this.#now() < this.#owesUntil;
  }
}
