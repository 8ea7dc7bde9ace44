/** Of each record: a content that comes back after more others than these counts as new. */
const MAX_CONTENTS = 8;

/** What an entry takes in memory, roughly. */
export const TOLD_BYTES = 250;

interface Entry {
  /** Hashes, the latest last. */
  readonly contents: string[];
  /** The walk that last saw the record. */
  walk: number;
}

/** What was told of the records that the next walk will read again, since they changed not long ago. */
export class Told {
  readonly #records = new Map<string, Entry>();

  get size(): number {
    return this.#records.size;
  }

  /**
   * Notes the content of a record. Returns undefined if it is what was told last, else how often it was told before: a
   * record may change back within a second.
   */
  add(id: string, content: string, walk: number): number | undefined {
    const entry = this.#records.get(id);
    if (entry === undefined) {
      this.#records.set(id, { contents: [content], walk });
      return 0;
    }
    entry.walk = walk;
    if (entry.contents.at(-1) === content) return undefined;
    const before = entry.contents.filter((earlier) => earlier === content).length;
    entry.contents.push(content);
    if (entry.contents.length > MAX_CONTENTS) entry.contents.shift();
    return before;
  }

  /** Whether all that another has noted was noted here too. */
  knows(other: Told): boolean {
    for (const [id, { contents }] of other.#records) {
      const known = this.#records.get(id)?.contents ?? [];
      if (!contents.every((content) => known.includes(content))) return false;
    }
    return true;
  }

  forget(id: string): void {
    this.#records.delete(id);
  }

  /** Forgets the records that a complete walk has not seen: they changed too long ago to be read again. */
  keepSeenBy(walk: number): void {
    for (const [id, entry] of this.#records) if (entry.walk !== walk) this.#records.delete(id);
  }
}
