/** Counts by name. Names with a count of zero are not stored. */
export class Tally {
  readonly #heldBy = new Map<string, number>();

  /** Number of names with a count above zero. */
  get size(): number {
    return this.#heldBy.size;
  }

  of(name: string): number {
    return this.#heldBy.get(name) ?? 0;
  }

  add(name: string): void {
    this.#heldBy.set(name, this.of(name) + 1);
  }

  /** Returns false if the count was already zero. */
  remove(name: string): boolean {
    const held = this.of(name);
    if (held > 1) this.#heldBy.set(name, held - 1);
    else this.#heldBy.delete(name);
    return held > 0;
  }
}
