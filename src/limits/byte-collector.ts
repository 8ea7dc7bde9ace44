const MIN_BLOCK_BYTES = 1024;
/** A first chunk shares its memory with headers, of 16 KiB at most; with more, it is copied. */
const MAX_SHARED_BYTES = 16_384;

/**
 * Collects a body that arrives in chunks. A chunk is an object of some hundred bytes, and a view that keeps all of the
 * memory it was read into, so a body in chunks of one byte would take hundreds of times its length. Only the first chunk
 * is kept as it is, since most bodies are a single one; later chunks are copied into blocks, each of half the length so
 * far.
 */
export class ByteCollector {
  readonly #full: Buffer[] = [];
  /** The block that is being filled, and how much of it is. */
  #block: Buffer = EMPTY;
  #filled = 0;
  length = 0;
  /** Bytes of memory that are kept for them. */
  held = 0;

  /** Returns by how much `held` grows, to be counted in a budget. */
  append(chunk: Buffer): number {
    if (chunk.length === 0) return 0;
    const before = this.held;
    if (this.length === 0 && chunk.buffer.byteLength - chunk.length <= MAX_SHARED_BYTES)
      this.#open(chunk, chunk.length);
    else this.#copy(chunk);
    this.length += chunk.length;
    return this.held - before;
  }

  /** All that has arrived. If that is a single chunk, it is the chunk itself. */
  content(): Buffer {
    const isFull = this.#filled === this.#block.length;
    const last = isFull ? this.#block : this.#block.subarray(0, this.#filled);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.length);
  }

  #copy(chunk: Buffer): void {
    const copied = chunk.copy(this.#block, this.#filled);
    this.#filled += copied;
    const rest = chunk.length - copied;
    if (rest === 0) return;
    if (this.#filled > 0) this.#full.push(this.#block);
    const size = Math.max(MIN_BLOCK_BYTES, rest, Math.floor(this.length / 2));
    this.#open(Buffer.allocUnsafeSlow(size), rest);
    chunk.copy(this.#block, 0, copied);
  }

  #open(block: Buffer, filled: number): void {
    this.#block = block;
    this.#filled = filled;
    this.held += block.buffer.byteLength;
  }
}

const EMPTY = Buffer.alloc(0);
