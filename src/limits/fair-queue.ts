import { getOrCreate } from '../memoize.ts';
import { TurnQueue } from './turn-queue.ts';

/** Among how many the next is chosen, of those that have waited longest. */
const MAX_CHOICE = 500;
/** So many owners are told apart. */
const MAX_OWNERS = 500;

/** Shares time among groups, and that of a group among its owners: who asks for less than its share hardly waits. */
export class FairQueue<Group extends string> extends TurnQueue<Group> {
  readonly #groups = new FairTime();
  readonly #owners = new Map<Group, FairTime>();

  /** Takes what is next, but not of a group that must not go on now. */
  takeNext(mayStart: (group: Group) => boolean = () => true) {
    const group = this.#groups.next([...this.groups.keys()].filter(mayStart));
    const owner = group && this.#ownersOf(group).next(this.groups.get(group)?.keys() ?? []);
    if (group === undefined || owner === undefined) return undefined;
    const start = this.take(group, owner);
    return start && { group, owner, start };
  }

  /** Counts time that was used. */
  count(group: Group, owner: string, milliseconds: number): void {
    this.#groups.add(group, milliseconds, this.groups);
    this.#ownersOf(group).add(owner, milliseconds, this.groups.get(group));
  }

  #ownersOf(group: Group): FairTime {
    return getOrCreate(this.#owners, group, () => new FairTime());
  }
}

/** As start-time fair queueing does it. */
class FairTime {
  /** What whoever was served last had got before. Nobody has got less: time that is not asked for is not saved. */
  #least = 0;
  readonly #got = new Map<string, number>();

  /** Whoever has got the least. */
  next<Owner extends string>(waiting: Iterable<Owner>): Owner | undefined {
    let next: Owner | undefined;
    let least = Number.POSITIVE_INFINITY;
    let count = 0;
    for (const owner of waiting) {
      const got = this.#gotBy(owner);
      if (got < least) {
        next = owner;
        least = got;
      }
      count += 1;
      if (got === this.#least || count === MAX_CHOICE) break;
    }
    return next;
  }

  add(owner: string, milliseconds: number, waiting: ReadonlyMap<string, unknown> | undefined): void {
    const got = this.#gotBy(owner);
    const others = waiting ? waiting.size - (waiting.has(owner) ? 1 : 0) : 0;
    // Time that nobody else asked for is not held against anybody.
    this.#least = others > 0 ? got : got + milliseconds;
    // Those that have got much are not told apart for ever: many may come that have got nothing.
    if (this.#got.size >= MAX_OWNERS) this.#got.clear();
    this.#got.set(owner, got + milliseconds);
  }

  #gotBy(owner: string): number {
    return Math.max(this.#least, this.#got.get(owner) ?? 0);
  }
}
