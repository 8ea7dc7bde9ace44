import type { Writable } from 'node:stream';

/** Lines are collected for this long, so that one write takes those of many operations. */
const FLUSH_MS = 100;
const FLUSH_LENGTH = 16_000;
/** A reader that is this far behind has stopped reading: further lines are dropped and counted, not kept in memory. */
const MAX_UNREAD = 1_000_000;
const END_MS = 1_000;

/**
 * Writes lines to a stream without waiting for whoever reads it. A reader that stops, or has gone, costs its lines and
 * nothing else. Node writes to a pipe without blocking, and `writableLength` is what the pipe has not taken yet.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #onDrop: (dropped: number) => string;
  #lines = '';
  #timer: NodeJS.Timeout | undefined;
  #isBroken = false;
  #dropped = 0;
  #untoldDrops = 0;

  /** `onDrop` gives the line that tells how many were dropped, for when lines are read again. */
  constructor(stream: Writable, onDrop: (dropped: number) => string) {
    this.#stream = stream;
    this.#onDrop = onDrop;
    stream.on('error', () => {
      this.#isBroken = true;
    });
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** One line, or several that are separated by newlines. */
  write(line: string, count = 1): void {
    if (this.#isBroken || this.#stream.writableLength + this.#lines.length > MAX_UNREAD) {
      this.#dropped += count;
      this.#untoldDrops += count;
      return;
    }
    if (this.#untoldDrops > 0) {
      this.#lines += `${this.#onDrop(this.#untoldDrops)}\n`;
      this.#untoldDrops = 0;
    }
    this.#lines += `${line}\n`;
    if (this.#lines.length >= FLUSH_LENGTH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(onWritten?: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = '';
    if (this.#isBroken) onWritten?.();
    else if (lines !== '' || onWritten) this.#stream.write(lines, onWritten && (() => onWritten()));
  }

  /** Waits until the lines are written, though not long for a reader that has stopped. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, END_MS);
      this.flush(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
