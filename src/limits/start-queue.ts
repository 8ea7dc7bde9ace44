import { AcceptingTurns } from './accepting-turns.ts';
import { leaveTurnsToConnections } from './time-slice.ts';
import { TurnQueue } from './turn-queue.ts';

/** Time per event loop turn for starting operations. */
const SLICE_MS = 5;

/** For how long the time that an owner has used counts: for this long, and up to twice as long. */
const RECENT_MS = 500;

/** Among how many owners the next is chosen. */
const MAX_CHOICE = 100;

const RESOLVED = Promise.resolve();

/**
 * Which owners take turns with each other. The groups take turns too: callers with many addresses are many owners, and
 * must delay neither probes nor credentials that the service has accepted.
 */
export type StartGroup = 'probes' | 'credentials' | 'addresses';

export interface Leaver {
  /** Called once if the client leaves. */
  onLeave: (() => void) | undefined;
}

export type Turns = Pick<StartQueue, 'enter' | 'isFull' | 'onConnection'>;

/**
 * Schedules the start of operations, whose synchronous part takes up to a tenth of a second, and the sending of pages and error
 * responses. Once they have used `SLICE_MS` of an event loop turn, the others are queued for the next turns, round-robin
 * by group. Within a group, the owner that has used the least time lately comes first, so that one that asks for little
 * does not wait for those that ask for much. Time spent on anything else does not count: otherwise operations would
 * hardly start in turns that are long for other reasons.
 */
export class StartQueue {
  readonly #now: () => number;
  readonly #waiting = new TurnQueue<StartGroup>();
  #usedMs = 0;
  /**
   * What a start of an address took beyond its turn: for as many turns nothing of addresses starts. Credentials owe
   * nothing: the operations of an array share their calls if they start together.
   */
  #owedMs = 0;
  #isTurnScheduled = false;
  /** Whether something has just started: how long it takes is not known yet. */
  #isMeasuring = false;
  /** Who has waited for the turn that is being measured: what it enters next is a part of it. */
  #inTurn: Leaver | undefined;
  readonly #recent = new RecentTime();
  readonly #accepting: AcceptingTurns;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#accepting = new AcceptingTurns(now);
  }

  /** Whether whoever comes now has to wait. */
  get isFull(): boolean {
    return this.#waiting.groups.size > 0 || this.#usedMs >= SLICE_MS || this.#isMeasuring;
  }

  /** Undefined to start at once, or a promise; it resolves too if the client leaves, who would be counted nowhere. */
  enter(owner: string, group: StartGroup, client: Leaver): Promise<void> | undefined {
    if (client === this.#inTurn) {
      this.#inTurn = undefined;
      return undefined;
    }
    this.#scheduleTurn();
    if (!this.isFull && !this.#owes(group)) {
      this.#measure(group, owner);
      return undefined;
    }
    return new Promise((resolve) => {
      const start = () => {
        this.#inTurn = client;
        client.onLeave = undefined;
        resolve();
      };
      client.onLeave = () => {
        this.#waiting.remove(group, owner, start);
        client.onLeave = undefined;
        resolve();
      };
      this.#waiting.add(group, owner, start);
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
    this.#owedMs = Math.max(0, this.#owedMs - SLICE_MS);
    if (this.#accepting.takeTurn() && this.#waiting.groups.size > 0) return this.#scheduleTurn();
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      const { group, owner, start } = next;
      const measured = new Promise<void>((resolve) => this.#measure(group, owner, resolve));
      start();
      await measured;
      if (this.#usedMs >= SLICE_MS) break;
    }
    if (this.#waiting.groups.size > 0 || this.#owedMs > 0) this.#scheduleTurn();
  }

  /** Measures the time from now until all microtasks that follow have run. */
  #measure(group: StartGroup, owner: string, onEnd?: () => void): void {
    const start = this.#now();
    this.#isMeasuring = true;
    // Promise continuations run as microtasks, and `nextTick` callbacks run after those. `queueMicrotask` would create
    // an async resource for each operation.
    RESOLVED.then(() =>
      process.nextTick(() => {
        const end = this.#now();
        this.#isMeasuring = false;
        this.#inTurn = undefined;
        const milliseconds = end - start;
        this.#usedMs += milliseconds;
        if (group === 'addresses') this.#owedMs = Math.max(0, milliseconds - SLICE_MS);
        this.#recent.add(owner, milliseconds, end);
        onEnd?.();
      }),
    );
  }

  #owes(group: StartGroup): boolean {
    return group === 'addresses' && this.#owedMs > 0;
  }

  #takeNext() {
    for (const [group, owners] of this.#waiting.groups) {
      if (this.#owes(group)) continue;
      const owner = this.#recent.least(owners.keys(), this.#now()) ?? '';
      const start = this.#waiting.take(group, owner);
      return start && { group, owner, start };
    }
    return undefined;
  }
}

/** The time that owners have used lately, in two periods, the older of which is dropped as a whole. */
class RecentTime {
  #current = new Map<string, number>();
  #earlier: ReadonlyMap<string, number> = new Map();
  #since = 0;

  add(owner: string, milliseconds: number, now: number): void {
    this.#drop(now);
    this.#current.set(owner, (this.#current.get(owner) ?? 0) + milliseconds);
  }

  /** Whoever has used the least, the first of equals. */
  least(owners: Iterable<string>, now: number): string | undefined {
    this.#drop(now);
    let least: string | undefined;
    let leastUsed = Number.POSITIVE_INFINITY;
    let count = 0;
    for (const owner of owners) {
      const used = (this.#current.get(owner) ?? 0) + (this.#earlier.get(owner) ?? 0);
      if (used < leastUsed) {
        least = owner;
        leastUsed = used;
      }
      count += 1;
      if (count === MAX_CHOICE || used === 0) break;
    }
    return least;
  }

  #drop(now: number): void {
    const periods = Math.floor((now - this.#since) / RECENT_MS);
    if (periods < 1) return;
    this.#earlier = periods === 1 ? this.#current : new Map();
    this.#current = new Map();
    this.#since = now;
  }
}
