import type { Readable } from 'node:stream';

/**
 * Passes the lines of a worker on, whole. Workers that wrote to one pipe themselves would tear each other's lines as soon
 * as its reader falls behind.
 */
export function forwardLines(stream: Readable, forward: (lines: string, count: number) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    if (end >= 0) forward(text.slice(0, end), countLines(text, end));
  });
  stream.on('end', () => {
    if (rest !== '') forward(rest, 1);
  });
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index >= 0 && index <= end; index = text.indexOf('\n', index + 1))
    count += 1;
  return count;
}

const FIRST_MS = 100;
const MAX_MS = 10_000;
/** A worker that has served this long was sound; what ended it was no fault of its start. */
const SOUND_MS = 30_000;

/** How long to wait before a worker is replaced: twice as long for each that ends soon after its start. */
export class Backoff {
  #next = FIRST_MS;

  /** `lifeMs`: how long the worker lived. */
  delayAfter(lifeMs: number): number {
    if (lifeMs >= SOUND_MS) this.#next = FIRST_MS;
    const delay = this.#next;
    this.#next = Math.min(MAX_MS, this.#next * 2);
    return delay;
  }
}
