import type { Writable } from 'node:stream';

/** Lines are collected for this long, so that one write takes those of many operations. */
const FLUSH_MS = 100;
const FLUSH_LENGTH = 16_000;
/** A reader that is this far behind has stopped reading: further lines are dropped and counted, not kept in memory. */
const MAX_UNREAD = 1_000_000;
const END_MS = 1_000;

export type LineWriter = ReturnType<typeof createLineWriter>;

/**
 * Writes lines to a stream without waiting for whoever reads it. A reader that stops, or has gone, costs its lines and
 * nothing else. Node writes to a pipe without blocking, and `writableLength` is what the pipe has not taken yet. `onDrop`
 * gives the line that tells how many were dropped, for when lines are read again.
 */
export function createLineWriter(stream: Writable, onDrop: (dropped: number) => string) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let isBroken = false;
  let dropped = 0;
  let untoldDrops = 0;
  stream.on('error', () => {
    isBroken = true;
  });

  function flush(onWritten?: () => void): void {
    clearTimeout(timer);
    timer = undefined;
    const written = lines;
    lines = '';
    if (isBroken) onWritten?.();
    else if (written !== '' || onWritten) stream.write(written, onWritten && (() => onWritten()));
  }

  return {
    /** Lines that were dropped because nobody read them. */
    get dropped(): number {
      return dropped;
    },
    /** One line, or several that are separated by newlines. */
    write(line: string, count = 1): void {
      if (isBroken || stream.writableLength + lines.length > MAX_UNREAD) {
        dropped += count;
        untoldDrops += count;
        return;
      }
      if (untoldDrops > 0) lines += `${onDrop(untoldDrops)}\n`;
      untoldDrops = 0;
      lines += `${line}\n`;
      if (lines.length >= FLUSH_LENGTH) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush: () => flush(),
    /** Waits until the lines are written, though not long for a reader that has stopped. */
    end: () =>
      new Promise<void>((resolve) => {
        const ending = setTimeout(resolve, END_MS);
        flush(() => {
          clearTimeout(ending);
          resolve();
        });
      }),
  };
}
