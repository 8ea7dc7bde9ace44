/** Of each record: a content that comes back after more others than these counts as new. */
const MAX_CONTENTS = 8;

/** What a record with a short key takes in memory, and each of its contents, as measured. */
const RECORD_BYTES = 230;
const CONTENT_BYTES = 110;

interface Entry {
  /** Hashes, the latest last. */
  readonly contents: string[];
  /** The walk that last saw the record. */
  walk: number;
}

/** What was told of the records that the next walk will read again, since they changed not long ago; by short keys. */
export class Told {
  readonly #records = new Map<string, Entry>();
  #contents = 0;

  /** What it takes in memory. */
  get bytes(): number {
    return this.#records.size * RECORD_BYTES + this.#contents * CONTENT_BYTES;
  }

  /**
   * Notes the content of a record. Returns undefined if it is what was told last, else how often it was told before: a
   * record may change back within a second.
   */
  add(key: string, content: string, walk: number): number | undefined {
    const entry = this.#records.get(key);
    if (entry === undefined) {
      this.#records.set(key, { contents: [content], walk });
      this.#contents += 1;
      return 0;
    }
    entry.walk = walk;
    if (entry.contents.at(-1) === content) return undefined;
    const before = entry.contents.filter((earlier) => earlier === content).length;
    entry.contents.push(content);
    if (entry.contents.length > MAX_CONTENTS) entry.contents.shift();
    else this.#contents += 1;
    return before;
  }

  /** Whether all that another has noted was noted here too. */
  knows(other: Told): boolean {
    for (const [key, { contents }] of other.#records) {
      const known = this.#records.get(key)?.contents ?? [];
      if (!contents.every((content) => known.includes(content))) return false;
    }
    return true;
  }

  forget(key: string): void {
    this.#contents -= this.#records.get(key)?.contents.length ?? 0;
    this.#records.delete(key);
  }

  /** Forgets the records that a complete walk has not seen: they changed too long ago to be read again. */
  keepSeenBy(walk: number): void {
    for (const [key, entry] of this.#records) if (entry.walk !== walk) this.forget(key);
  }
}
