import { getOrCreate } from '../memoize.ts';

/** What waits, by names such as those of its endpoint, address and owner: whoever was served last stands at the end. */
export class TurnQueue<Item> {
  readonly #parts = new Map<string, TurnQueue<Item>>();
  readonly #items = new Set<Item>();

  get isEmpty(): boolean {
    return this.#parts.size === 0 && this.#items.size === 0;
  }

  add([name, ...rest]: readonly string[], item: Item): void {
    if (name === undefined) return void this.#items.add(item);
    getOrCreate(this.#parts, name, () => new TurnQueue<Item>()).add(rest, item);
  }

  /** Returns false if it was not waiting. */
  remove([name, ...rest]: readonly string[], item: Item): boolean {
    if (name === undefined) return this.#items.delete(item);
    const part = this.#parts.get(name);
    const wasWaiting = part?.remove(rest, item) ?? false;
    if (part?.isEmpty) this.#parts.delete(name);
    return wasWaiting;
  }

  /** Takes the first that is accepted, of those whose first name is not skipped; of an owner, only its oldest may be. */
  take(accepts: (item: Item) => boolean, skips?: (name: string) => boolean): Item | undefined {
    for (const [name, part] of this.#parts) {
      const item = skips?.(name) ? undefined : part.take(accepts);
      if (item === undefined) continue;
      this.#parts.delete(name);
      if (!part.isEmpty) this.#parts.set(name, part);
      return item;
    }
    const [first] = this.#items;
    if (first === undefined || !accepts(first)) return undefined;
    this.#items.delete(first);
    return first;
  }
}
