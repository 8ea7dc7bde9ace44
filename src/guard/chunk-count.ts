/**
 * With more chunks than this, they must be this long on average. Each is a call of Node's parser, which takes as long as
 * 10 kB of a body do.
 */
const MANY_CHUNKS = 100;
const MIN_CHUNK_BYTES = 500;

/** Counts the chunks in which a body arrives. */
export class ChunkCount {
  #chunks = 0;
  #bytes = 0;

  add(bytes: number): void {
    this.#chunks += 1;
    this.#bytes += bytes;
  }

  /** Whether the body takes too long to read for its length. */
  get areTooSmall(): boolean {
    return this.#chunks > MANY_CHUNKS && this.#bytes < this.#chunks * MIN_CHUNK_BYTES;
  }
}
