/**
 * Something limited that many hold at once, such as bytes of memory. Nobody is refused: over the limit, the owner that
 * holds most loses a holding, so that whoever takes little always finds room.
 */
export class SharedBudget {
  readonly #limit: number;
  readonly #evicts: 'stalest' | 'newest';
  readonly #owners = new Map<string, Owner>();
  #held = 0;

  /**
   * Of the owner that holds most, `stalest` evicts the holding that made progress longest ago, for transfers; `newest`
   * the one that started last, for work that would be wasted if it were always the older work that is evicted.
   */
  constructor(limit: number, { evicts }: { readonly evicts: 'stalest' | 'newest' }) {
    this.#limit = limit;
    this.#evicts = evicts;
  }

  get held(): number {
    return this.#held;
  }

  /** `evict` is called at most once, when the holding has been taken away. */
  hold(name: string, evict: () => void, isEvictable: () => boolean = ALWAYS): Holding {
    let owner = this.#owners.get(name);
    if (owner === undefined) {
      owner = { name, held: 0, holdings: new Set() };
      this.#owners.set(name, owner);
    }
    const holding = new Holding(this, owner, evict, isEvictable);
    owner.holdings.add(holding);
    return holding;
  }

  /** For a Holding alone. */
  grow(owner: Owner, amount: number): void {
    owner.held += amount;
    this.#held += amount;
    while (this.#held > this.#limit) {
      const victim = this.#victim();
      if (victim === undefined) return;
      victim.release();
      victim.evict();
    }
  }

  /** For a Holding alone. */
  remove(owner: Owner, holding: Holding): void {
    owner.holdings.delete(holding);
    owner.held -= holding.amount;
    this.#held -= holding.amount;
    if (owner.holdings.size === 0) this.#owners.delete(owner.name);
  }

  /**
   * A holding of the owner that holds most; of the next one where none of its holdings can be taken away. Whoever holds
   * less than an equal share loses nothing: then the budget is exceeded, by what cannot be taken away.
   */
  #victim(): Holding | undefined {
    let most = this.#limit / (this.#owners.size + 1);
    let victim: Holding | undefined;
    for (const owner of this.#owners.values()) {
      if (owner.held <= most) continue;
      const evictable = this.#evictable(owner);
      if (evictable === undefined) continue;
      most = owner.held;
      victim = evictable;
    }
    return victim;
  }

  #evictable({ holdings }: Owner): Holding | undefined {
    let newest: Holding | undefined;
    for (const holding of holdings) {
      if (holding.amount === 0 || !holding.isEvictable()) continue;
      if (this.#evicts === 'stalest') return holding;
      newest = holding;
    }
    return newest;
  }
}

interface Owner {
  readonly name: string;
  held: number;
  /** In the order of their last progress. */
  readonly holdings: Set<Holding>;
}

/** A part of a budget. */
export class Holding {
  readonly #budget: SharedBudget;
  readonly #owner: Owner;
  readonly evict: () => void;
  readonly isEvictable: () => boolean;
  #amount = 0;
  #isReleased = false;

  constructor(budget: SharedBudget, owner: Owner, evict: () => void, isEvictable: () => boolean) {
    this.#budget = budget;
    this.#owner = owner;
    this.evict = evict;
    this.isEvictable = isEvictable;
  }

  get amount(): number {
    return this.#amount;
  }

  /** Takes more; that may evict others, or this very holding. */
  add(amount: number): void {
    if (this.#isReleased) return;
    this.#amount += amount;
    this.#budget.grow(this.#owner, amount);
  }

  /** Tells that it has made progress, so that it is not the stalest. */
  touch(): void {
    if (this.#isReleased) return;
    this.#owner.holdings.delete(this);
    this.#owner.holdings.add(this);
  }

  /** Gives back all of it; a second time does nothing. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#budget.remove(this.#owner, this);
  }
}

const ALWAYS = () => true;
