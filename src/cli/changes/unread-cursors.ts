/** More than a pipe holds (64 kB) and its reader has taken without having looked at it. */
const UNREAD_CHARACTERS = 256_000;

/** Knows up to where a reader that is gone has surely read: what was written may still have been on its way. */
export class UnreadCursors {
  readonly #cursors: { readonly cursor: string; readonly end: number }[] = [];
  #written = 0;

  wrote(text: string): void {
    this.#written += text.length;
  }

  /** Of what was written last. */
  add(cursor: string): void {
    // A quiet stream tells where it is from time to time, without a line.
    if (this.#cursors.at(-1)?.end === this.#written) this.#cursors.pop();
    this.#cursors.push({ cursor, end: this.#written });
    while (this.#written - (this.#cursors[1]?.end ?? this.#written) >= UNREAD_CHARACTERS)
      this.#cursors.shift();
  }

  /** The last that was surely read, or else the first of all. */
  get read(): string | undefined {
    return this.#cursors[0]?.cursor;
  }
}
