/** How many of something each of many holds. Whoever holds nothing is forgotten. */
export class Tally {
  readonly #heldBy = new Map<string, number>();

  /** How many hold any. */
  get size(): number {
    return this.#heldBy.size;
  }

  of(name: string): number {
    return this.#heldBy.get(name) ?? 0;
  }

  add(name: string): void {
    this.#heldBy.set(name, this.of(name) + 1);
  }

  /** False where it holds none. */
  remove(name: string): boolean {
    const held = this.of(name);
    if (held > 1) this.#heldBy.set(name, held - 1);
    else this.#heldBy.delete(name);
    return held > 0;
  }
}
