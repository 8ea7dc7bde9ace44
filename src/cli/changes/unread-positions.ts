import type { Position } from './read-changes.ts';

/** More than a pipe holds (64 kB) and its reader has taken without having looked at it. */
const UNREAD_CHARACTERS = 256_000;

/** Knows up to where a reader that is gone has surely read: what was written may still have been on its way. */
export class UnreadPositions {
  readonly #positions: { readonly position: Position; readonly end: number }[] = [];
  #written = 0;

  wrote(text: string): void {
    this.#written += text.length;
  }

  /** Of what was written last. */
  add(position: Position): void {
    this.#positions.push({ position, end: this.#written });
    const read = this.#positions.findLastIndex(({ end }) => this.#written - end >= UNREAD_CHARACTERS);
    if (read > 0) this.#positions.splice(0, read);
  }

  /** The last position that was surely read, or else the first of all. */
  get read(): Position | undefined {
    return this.#positions[0]?.position;
  }
}
