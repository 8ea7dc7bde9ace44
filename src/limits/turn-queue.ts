/** What waits, by group and by owner within it: those that were served last stand at the end. */
export class TurnQueue<Item> {
  readonly #groups = new Map<string, Map<string, Set<Item>>>();

  get groups(): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<Item>>> {
    return this.#groups;
  }

  add(group: string, owner: string, item: Item): void {
    const owners = this.#groups.get(group) ?? new Map<string, Set<Item>>();
    const queue = owners.get(owner) ?? new Set();
    this.#groups.set(group, owners.set(owner, queue.add(item)));
  }

  /** Returns false if it was not waiting. */
  remove(group: string, owner: string, item: Item): boolean {
    const owners = this.#groups.get(group);
    const queue = owners?.get(owner);
    if (!queue?.delete(item)) return false;
    if (queue.size === 0) owners?.delete(owner);
    if (owners?.size === 0) this.#groups.delete(group);
    return true;
  }

  /** Removes what has waited longest for an owner. If more is waiting, owner and group go to the end. */
  serve(group: string, owner: string, item: Item): void {
    const owners = this.#groups.get(group);
    const queue = owners?.get(owner);
    this.remove(group, owner, item);
    if (owners && queue && owners.delete(owner)) owners.set(owner, queue);
    if (owners && this.#groups.delete(group)) this.#groups.set(group, owners);
  }
}
