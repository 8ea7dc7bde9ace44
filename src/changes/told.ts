/** Of each record: a content that comes back after more others than these counts as new. */
const MAX_CONTENTS = 8;

interface Entry {
  /** Hashes, the latest last. */
  readonly contents: string[];
  /** The walk that last saw the record. */
  walk: number;
}

/** What was told of the records that the next walk will read again, since they changed not long ago; by short keys. */
export class Told {
  readonly #records = new Map<string, Entry>();

  /**
   * Notes the content of a record. Returns undefined if it is what was told last, else how often it was told before: a
   * record may change back within a second. One that is settled, and so will not be read again, is not noted anew.
   */
  add(key: string, content: string, walk: number, isSettled = false): number | undefined {
    const entry = this.#records.get(key);
    if (entry === undefined) {
      if (!isSettled) this.#records.set(key, { contents: [content], walk });
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
    for (const [key, { contents }] of other.#records) {
      const known = this.#records.get(key)?.contents ?? [];
      if (!contents.every((content) => known.includes(content))) return false;
    }
    return true;
  }

  /** Forgets the records that a complete walk has not seen: they changed too long ago to be read again. */
  keepSeenBy(walk: number): void {
    for (const [key, entry] of this.#records) if (entry.walk !== walk) this.#records.delete(key);
  }
}
