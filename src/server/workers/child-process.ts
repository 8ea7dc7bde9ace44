import type { Readable } from 'node:stream';

/** Passes whole lines on: workers that share a pipe tear each other's lines as soon as its reader falls behind. */
export function forwardLines(stream: Readable, forward: (lines: string, count: number) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) forward(lines.join('\n'), lines.length);
  });
  stream.on('end', () => {
    if (rest !== '') forward(rest, 1);
  });
}

const FIRST_MS = 100;
const MAX_MS = 10_000;
/** A worker that has served this long was sound; what ended it was no fault of its start. */
const SOUND_MS = 30_000;

/** How long to wait before a worker is replaced: twice as long for each that ends soon after its start. */
export function createBackoff(): (lifeMs: number) => number {
  let next = FIRST_MS;
  return (lifeMs) => {
    const delay = lifeMs >= SOUND_MS ? FIRST_MS : next;
    next = Math.min(MAX_MS, delay * 2);
    return delay;
  };
}
