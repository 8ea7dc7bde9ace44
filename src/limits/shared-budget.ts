import { getOrCreate } from '../memoize.ts';
import { addressOf } from './owner.ts';

/**
 * A limited resource with many concurrent holders, such as bytes of memory. Requests for more always succeed: over the
 * limit, a holding of the owner that holds most is evicted, so that owners that use little always find room. Credentials
 * of one address count together first: one person may have a hundred.
 */
export class SharedBudget {
  readonly limit: number;
  readonly #evicts: 'stalest' | 'newest';
  readonly #owners = new Map<string, Owner>();
  /** Of all owners; only the budget itself sets it. */
  held = 0;
  #lastNumber = 0;

  /**
   * Which holding of the largest owner is evicted. `stalest`: the one whose last progress is the longest ago, for
   * transfers, but none that holds little while others hold much. `newest`: the one that started last, for computations,
   * so that older work is not wasted; if the largest owner has only one, that of any owner above an equal share.
   */
  constructor(limit: number, { evicts }: { readonly evicts: 'stalest' | 'newest' }) {
    this.limit = limit;
    this.#evicts = evicts;
  }

  /** `evict` is called at most once, after the holding has been released. */
  hold(name: string, evict: () => void, isEvictable: () => boolean = ALWAYS): Holding {
    const owner = getOrCreate(this.#owners, name, createOwner);
    this.#lastNumber += 1;
    const holding = new Holding(this, owner, this.#lastNumber, evict, isEvictable);
    append(owner, holding);
    return holding;
  }

  /** Called by Holding only. */
  isExceededBy({ held }: Owner): boolean {
    return this.held > this.limit && held > this.limit / (this.#owners.size + 1);
  }

  /** Called by Holding only. */
  grow(owner: Owner, amount: number): void {
    owner.held += amount;
    this.held += amount;
    this.#evictDownTo(this.limit);
  }

  /** Evicts until half of what is held now is left, or nothing more can be evicted. */
  halve(): void {
    this.#evictDownTo(this.held / 2);
  }

  #evictDownTo(limit: number): void {
    while (this.held > limit) {
      const victim = this.#victim(limit);
      if (victim === undefined) return;
      victim.release();
      victim.evict();
    }
  }

  /** Called by Holding only. */
  remove(owner: Owner, holding: Holding): void {
    unlink(owner, holding);
    owner.held -= holding.amount;
    this.held -= holding.amount;
    if (owner.oldest === undefined) this.#owners.delete(owner.name);
  }

  /**
   * An evictable holding of the largest owner, or of the next largest if it has none. Owners below an equal share are
   * never evicted from: the budget is then exceeded by what cannot be evicted.
   */
  #victim(limit: number): Holding | undefined {
    const owners = [...this.#owners.values()];
    if (this.#evicts === 'stalest') return this.#choose(owners, limit, (owner) => this.#evictable(owner));
    return this.#choose(byAddress(owners), limit, (address) =>
      this.#choose(address.owners, Math.min(limit, address.held), (owner) => this.#evictable(owner)),
    );
  }

  #choose<Part extends Held>(
    parts: readonly Part[],
    limit: number,
    evictableOf: (part: Part) => Holding | undefined,
  ): Holding | undefined {
    const share = limit / (parts.length + 1);
    let largest: { readonly held: number; readonly count: number; readonly holding: Holding } | undefined;
    let newest: Holding | undefined;
    for (const part of parts) {
      if (part.held <= share) continue;
      const holding = evictableOf(part);
      if (holding === undefined) continue;
      if (newest === undefined || holding.number > newest.number) newest = holding;
      if (largest === undefined || part.held > largest.held)
        largest = { held: part.held, count: part.count, holding };
    }
    // Of owners with one computation each, who holds the most may be nearest to its end: the last that began gives way.
    return largest?.count === 1 && this.#evicts === 'newest' ? newest : largest?.holding;
  }

  #evictable(owner: Owner): Holding | undefined {
    if (this.#evicts === 'newest') return firstEvictable(owner.newest, 'older', 0);
    const halfOfAverage = owner.held / owner.count / 2;
    return firstEvictable(owner.oldest, 'newer', halfOfAverage) ?? firstEvictable(owner.oldest, 'newer', 0);
  }
}

/** The first, from this one on, that holds more than so much. */
function firstEvictable(
  start: Holding | undefined,
  next: 'older' | 'newer',
  least: number,
): Holding | undefined {
  let holding = start;
  while (holding && (holding.amount <= least || !holding.isEvictable())) holding = holding[next];
  return holding;
}

/** What is held, and by how many holdings. */
interface Held {
  held: number;
  count: number;
}

interface Owner extends Held {
  readonly name: string;
  /** The ends of the list of its holdings, ordered by last progress. */
  oldest: Holding | undefined;
  newest: Holding | undefined;
}

const createOwner = (name: string): Owner => ({
  name,
  held: 0,
  count: 0,
  oldest: undefined,
  newest: undefined,
});

function byAddress(owners: readonly Owner[]) {
  const addresses = new Map<string, Held & { readonly owners: Owner[] }>();
  for (const owner of owners) {
    const address = getOrCreate(addresses, addressOf(owner.name), () => ({ held: 0, count: 0, owners: [] }));
    address.held += owner.held;
    address.count += owner.count;
    address.owners.push(owner);
  }
  return [...addresses.values()];
}

/** The holdings of an owner are a linked list: a Set would be created for each request of a caller that has no other. */
function append(owner: Owner, holding: Holding): void {
  owner.count += 1;
  holding.older = owner.newest;
  holding.newer = undefined;
  if (owner.newest) owner.newest.newer = holding;
  else owner.oldest = holding;
  owner.newest = holding;
}

function unlink(owner: Owner, holding: Holding): void {
  const { older, newer } = holding;
  owner.count -= 1;
  if (older) older.newer = newer;
  else owner.oldest = newer;
  if (newer) newer.older = older;
  else owner.newest = older;
  // Whoever still knows this one would otherwise keep all that came after it in memory.
  holding.older = undefined;
  holding.newer = undefined;
}

/** What several holdings keep together: it counts for the first of them; when that one ends, for the next. */
export class SharedPart {
  readonly amount: number;
  #payer: Holding | undefined;
  readonly #others = new Set<Holding>();

  constructor(amount: number) {
    this.amount = amount;
  }

  /** Called by Holding only. */
  join(holding: Holding): void {
    if (this.#payer) this.#others.add(holding);
    else this.#pay(holding);
  }

  /** Called by Holding only. */
  leave(holding: Holding): void {
    if (!this.#others.delete(holding)) this.#pay(this.#others.values().next().value);
  }

  #pay(holding: Holding | undefined): void {
    this.#payer = holding;
    if (holding === undefined) return;
    this.#others.delete(holding);
    holding.add(this.amount);
  }
}

export class Holding {
  readonly #budget: SharedBudget;
  readonly #owner: Owner;
  /** In the order in which they began. */
  readonly number: number;
  readonly evict: () => void;
  readonly isEvictable: () => boolean;
  /** The neighbours in the list of the owner's holdings. */
  older: Holding | undefined;
  newer: Holding | undefined;
  /** What it holds; only `add` sets it. */
  amount = 0;
  #parts: readonly SharedPart[] = NO_PARTS;
  #isReleased = false;

  constructor(
    budget: SharedBudget,
    owner: Owner,
    number: number,
    evict: () => void,
    isEvictable: () => boolean,
  ) {
    this.#budget = budget;
    this.#owner = owner;
    this.number = number;
    this.evict = evict;
    this.isEvictable = isEvictable;
  }

  /** Whether there would be no room for it, or hardly any, if there were no others. */
  get isTooLarge(): boolean {
    return this.amount > 0.9 * this.#budget.limit;
  }

  /** Whether the budget is exceeded though no more can be evicted, and the owner holds more than an equal share. */
  get isExceeded(): boolean {
    return this.#budget.isExceededBy(this.#owner);
  }

  /** Takes more. That may evict other holdings, or this one. */
  add(amount: number): void {
    if (this.#isReleased) return;
    this.amount += amount;
    this.#budget.grow(this.#owner, amount);
  }

  /** Takes a part that others may keep too. */
  share(part: SharedPart): void {
    if (this.#isReleased || this.#parts.includes(part)) return;
    // V8 would make room for seventeen in an empty list that grows.
    this.#parts = [...this.#parts, part];
    part.join(this);
  }

  /** Marks progress, so that this holding is no longer the stalest. */
  touch(): void {
    if (this.#isReleased) return;
    unlink(this.#owner, this);
    append(this.#owner, this);
  }

  /** Releases the whole amount; further calls do nothing. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#budget.remove(this.#owner, this);
    for (const part of this.#parts) part.leave(this);
  }
}

const ALWAYS = () => true;
const NO_PARTS: readonly SharedPart[] = [];
