/** What waits, by group and by owner within it: those that were served last stand at the end. */
export class TurnQueue<Group extends string> {
  readonly #groups = new Map<Group, Map<string, Set<() => void>>>();

  get groups(): ReadonlyMap<Group, ReadonlyMap<string, unknown>> {
    return this.#groups;
  }

  add(group: Group, owner: string, start: () => void): void {
    const owners = this.#groups.get(group) ?? new Map<string, Set<() => void>>();
    const queue = owners.get(owner) ?? new Set();
    this.#groups.set(group, owners.set(owner, queue.add(start)));
  }

  /** Returns false if it was not waiting. */
  remove(group: Group, owner: string, start: () => void): boolean {
    const owners = this.#groups.get(group);
    const queue = owners?.get(owner);
    if (!queue?.delete(start)) return false;
    if (queue.size === 0) owners?.delete(owner);
    if (owners?.size === 0) this.#groups.delete(group);
    return true;
  }

  /** Takes what has waited longest for an owner. If more is waiting, owner and group go to the end. */
  take(group: Group, owner: string): (() => void) | undefined {
    const owners = this.#groups.get(group);
    const queue = owners?.get(owner);
    const [start] = queue ?? [];
    if (!owners || !queue || !start) return undefined;
    this.remove(group, owner, start);
    if (owners.delete(owner)) owners.set(owner, queue);
    if (this.#groups.delete(group)) this.#groups.set(group, owners);
    return start;
  }
}
