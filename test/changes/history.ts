import { Random } from '../execution/random.ts';
import { times } from '../support/times.ts';

/** How late a write may become visible after it was stamped, and how far the clocks of writers are apart. */
export const MAX_LATE_MS = 3_000;
export const MAX_SKEW_MS = 1_000;

/** The least lookback that loses nothing: what is visible at a moment may have a stamp that is so much earlier. */
export const LOOKBACK_MS = MAX_LATE_MS + MAX_SKEW_MS + 1_000;

export const PAGE_ROWS = [3, 4, 7] as const;

export const LISTS = ['debtors', 'deletedCreditCases'] as const;
export type List = (typeof LISTS)[number];

export interface Write {
  readonly at: number;
  /** The record's timestamp: when its writer began, by the writer's clock. */
  readonly stamp: number;
  readonly list: List;
  readonly id: string;
  /** Undefined for a debtor that vanishes, which no list shows. */
  readonly value: string | undefined;
}

export interface History {
  readonly seed: number;
  readonly lists: readonly List[];
  readonly initial: readonly Write[];
  readonly writes: readonly Write[];
  readonly pageRows: (typeof PAGE_ROWS)[number];
}

/** A random history: late commits, skewed clocks, equal stamps, bursts of updates, new records in the middle of lists. */
export function createHistory(seed: number): History {
  const random = new Random(seed);
  const lists = [...new Set(times(random.chance(60) ? 1 : 2, () => random.pick(LISTS)))];
  const initial = lists.flatMap((list) => createInitial(list, random));
  const writes = new Writers(lists, initial, random).write(15 + random.below(20));
  return { seed, lists, initial, writes, pageRows: random.pick(PAGE_ROWS) };
}

function createInitial(list: List, random: Random): Write[] {
  return times(4 + random.below(6), (index) => ({
    at: 0,
    stamp: -1_000 * (isDeleted(list) ? 60 : 1) * random.below(20),
    list,
    // Leave room for others between them.
    id: String(1_000 + index * 10),
    value: isDeleted(list) ? 'gone' : 'A',
  }));
}

export function isDeleted(list: List): boolean {
  return list === 'deletedCreditCases';
}

class Writers {
  readonly #lists: readonly List[];
  readonly #random: Random;
  readonly #ids: Map<List, string[]>;
  readonly #skews: readonly number[];
  readonly #grain: number;
  readonly #writes: Write[] = [];
  #time = 0;

  constructor(lists: readonly List[], initial: readonly Write[], random: Random) {
    this.#lists = lists;
    this.#random = random;
    this.#ids = new Map(
      lists.map((list) => [list, initial.filter((write) => write.list === list).map(({ id }) => id)]),
    );
    const first = random.below(MAX_SKEW_MS);
    this.#skews = times(3, () => random.below(MAX_SKEW_MS) - first);
    this.#grain = random.chance(80) ? 1_000 : 1;
  }

  write(count: number): Write[] {
    while (this.#writes.length < count) {
      this.#time += this.#random.chance(30) ? 0 : this.#random.below(1_500);
      const list = this.#random.pick(this.#lists);
      if (isDeleted(list)) this.#add(list, this.#newId(list), 'gone');
      else this.#change(list);
    }
    return this.#writes.toSorted((one, other) => one.at - other.at);
  }

  #change(list: List): void {
    const random = this.#random;
    const ids = this.#ids.get(list) ?? [];
    const id = random.pick(ids);
    if (random.chance(10)) this.#add(list, this.#newId(list), random.pick(VALUES));
    else if (list === 'debtors' && ids.length > 3 && random.chance(3)) {
      this.#ids.set(
        list,
        ids.filter((other) => other !== id),
      );
      // It comes after every change that may still become visible.
      this.#writes.push({ at: this.#time + MAX_LATE_MS + 1, stamp: this.#time, list, id, value: undefined });
    } else if (random.chance(30)) this.#burst(list, id);
    else this.#add(list, id, random.pick(VALUES));
  }

  /** Several updates within a second, often back to what it was. */
  #burst(list: List, id: string): void {
    const values = this.#random.pick([
      ['A', 'B', 'A'],
      ['B', 'A'],
      ['B', 'C', 'B', 'C'],
    ]);
    const second = Math.floor(this.#time / 1_000) * 1_000;
    const lates = values.map(() => this.#late()).toSorted((one, other) => one - other);
    for (const [index, value] of values.entries()) {
      const began = second + index * 250;
      const at = began + (lates[index] ?? 0);
      this.#writes.push({ at, stamp: this.#stamp(began, 0), list, id, value });
    }
  }

  #add(list: List, id: string, value: string): void {
    const stamp = this.#stamp(this.#time, this.#random.pick(this.#skews));
    this.#writes.push({ at: this.#time + this.#late(), stamp, list, id, value });
  }

  #late(): number {
    return this.#random.chance(50) ? 0 : this.#random.below(MAX_LATE_MS);
  }

  #stamp(time: number, skew: number): number {
    return Math.floor((time + skew) / this.#grain) * this.#grain;
  }

  #newId(list: List): string {
    const ids = this.#ids.get(list) ?? [];
    for (;;) {
      const id = String(1_000 + this.#random.below(300));
      if (ids.includes(id)) continue;
      ids.push(id);
      this.#ids.set(list, ids);
      return id;
    }
  }
}

const VALUES = ['A', 'B', 'C', 'D'];
