/**
 * With more chunks than this, they must be this long on average. Each is a call of Node's parser, so a packet full of
 * chunks of one byte would take as long as hundreds of requests.
 */
const MANY_CHUNKS = 1_000;
const MIN_CHUNK_BYTES = 64;

/** Counts the chunks in which a body arrives. */
export class ChunkCount {
  #chunks = 0;
  #bytes = 0;

  add(bytes: number): void {
    this.#chunks += 1;
    this.#bytes += bytes;
  }

  get areTooSmall(): boolean {
    return this.#chunks > MANY_CHUNKS && this.#bytes < this.#chunks * MIN_CHUNK_BYTES;
  }
}
