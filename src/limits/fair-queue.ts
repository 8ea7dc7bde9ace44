import { getOrCreate } from '../memoize.ts';

/** How many names are remembered, those that were served last. */
const MAX_NAMES = 1_000;
/** The longest duration that is expected: otherwise short work could keep long work waiting for too long. */
const MAX_EXPECTED_MS = 25;
/** How many turns make up the average. */
const AVERAGED = 20;
/** What is left of a long turn after each that is shorter. */
const FADING = 0.8;

/** Who waits: for example a group, an address in it, and a credential. Time is shared at each of these levels. */
type Path = readonly string[];

/** Lets work start so that everybody gets the same time: whoever needs less than that hardly waits. */
export class FairQueue {
  /** Those that wait, the one that was served last at the end. */
  readonly #parts = new Map<string, FairQueue>();
  readonly #starts = new Set<() => void>();
  readonly #durations: Durations;
  readonly #times: FairTime;

  constructor(durations = new Durations()) {
    this.#durations = durations;
    this.#times = new FairTime(durations);
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0 && this.#starts.size === 0;
  }

  add([name, ...rest]: Path, start: () => void): void {
    if (name === undefined) return void this.#starts.add(start);
    if (!this.#parts.has(name)) this.#times.enter(name);
    getOrCreate(this.#parts, name, () => new FairQueue(this.#durations)).add(rest, start);
  }

  remove([name, ...rest]: Path, start: () => void): void {
    if (name === undefined) return void this.#starts.delete(start);
    const part = this.#parts.get(name);
    part?.remove(rest, start);
    if (!part?.isEmpty) return;
    this.#parts.delete(name);
    this.#times.leave(name);
  }

  /** Takes what is next, of those whose first name may go on now. */
  takeNext(
    mayGoOn?: (name: string) => boolean,
  ): { readonly path: Path; readonly start: () => void } | undefined {
    const names = mayGoOn ? [...this.#parts.keys()].filter(mayGoOn) : this.#parts.keys();
    const name = this.#times.next(names);
    if (name === undefined) return this.#takeStart();
    const part = this.#parts.get(name);
    const next = part?.takeNext();
    this.#parts.delete(name);
    if (part && !part.isEmpty) this.#parts.set(name, part);
    return next && { path: [name, ...next.path], start: next.start };
  }

  #takeStart() {
    const [start] = this.#starts;
    if (start === undefined) return undefined;
    this.#starts.delete(start);
    return { path: [], start };
  }

  /** Counts time that was used. */
  count(path: Path, milliseconds: number): void {
    this.#durations.add(path, milliseconds);
    this.#share(path, milliseconds);
  }

  #share([name, ...rest]: Path, milliseconds: number): void {
    if (name === undefined) return;
    this.#times.add(name, milliseconds, this.#parts);
    const part = this.#parts.get(name);
    if (part) part.#share(rest, milliseconds);
  }
}

/**
 * As weighted fair queueing does it: whoever would have got the least after its turn is next. In the time of the queue,
 * everybody who always waits gets a millisecond in a millisecond.
 */
class FairTime {
  readonly #durations: Durations;
  /** The earliest start of those that waited when somebody was served last, in that time. */
  #now = 0;
  /** Until when each has got its share. The one that was served last is at the end. */
  readonly #until = new Map<string, number>();
  /** When the next turn of those that wait begins. */
  readonly #starts = new Map<string, number>();

  constructor(durations: Durations) {
    this.#durations = durations;
  }

  /** Whoever has more to do while it is served is still at its turn. */
  enter(name: string): void {
    if (!this.#starts.has(name)) this.#starts.set(name, this.#startOf(name));
  }

  leave(name: string): void {
    this.#starts.delete(name);
  }

  next(waiting: Iterable<string>): string | undefined {
    let next: string | undefined;
    let earliestStart = Number.POSITIVE_INFINITY;
    let earliestEnd = Number.POSITIVE_INFINITY;
    for (const name of waiting) {
      const start = this.#starts.get(name) ?? this.#now;
      const end = start + this.#durations.expected(name);
      if (start < earliestStart) earliestStart = start;
      if (end < earliestEnd) {
        next = name;
        earliestEnd = end;
      }
    }
    if (next !== undefined) this.#now = Math.max(this.#now, earliestStart);
    return next;
  }

  /** Counts a turn. */
  add(name: string, milliseconds: number, waiting: ReadonlyMap<string, unknown>): void {
    const start = this.#starts.get(name) ?? this.#startOf(name);
    const until = start + milliseconds;
    const others = waiting.size - (waiting.has(name) ? 1 : 0);
    // Time that nobody else asked for is not held against anybody.
    if (others === 0) this.#now = Math.max(this.#now, until);
    setLast(this.#until, name, until);
    this.leave(name);
    if (waiting.has(name)) this.enter(name);
  }

  /** Somebody who is new begins as if it had been served: otherwise many who are new would go before all others. */
  #startOf(name: string): number {
    const debt = this.#durations.knows(name) ? 0 : this.#durations.expected(name);
    return Math.max(this.#now, this.#until.get(name) ?? this.#now + debt);
  }
}

/** How long turns take. */
class Durations {
  readonly #longest = new Map<string, number>();
  #average = 0;

  knows(name: string): boolean {
    return this.#longest.has(name);
  }

  /** As long as the longest of the last ones, or, of somebody who is new, as those of others. */
  expected(name: string): number {
    return Math.min(this.#longest.get(name) ?? this.#average, MAX_EXPECTED_MS);
  }

  add(path: Path, milliseconds: number): void {
    this.#average += (milliseconds - this.#average) / AVERAGED;
    for (const name of path) {
      // One that is long counts for some time, though short ones follow.
      const before = this.#longest.get(name) ?? 0;
      setLast(this.#longest, name, Math.max(milliseconds, before * FADING));
    }
  }
}

/** Keeps the entries that were set last. Not an `lruMap`, which takes a kilobyte: there is a queue for each who waits. */
function setLast<Value>(values: Map<string, Value>, name: string, value: Value): void {
  values.delete(name);
  values.set(name, value);
  if (values.size <= MAX_NAMES) return;
  const [first = ''] = values.keys();
  values.delete(first);
}
