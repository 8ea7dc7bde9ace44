import { fstatSync, readSync, statSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Writes text, and waits until it is with whoever reads it, or on its way there. */
export function writeText(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether a reader such as `head` has closed the pipe, because it has enough. */
export function isBrokenPipe(error: unknown): boolean {
  return Object(error).code === 'EPIPE';
}

/**
 * Whether standard output was closed when the process started. Node opens /dev/null in its place, to read and to write;
 * a shell's `> /dev/null` can only be written.
 */
export function isClosed({ fd }: { readonly fd?: number }): boolean {
  if (fd === undefined) return false;
  const nothing = statSync('/dev/null', { throwIfNoEntry: false });
  if (!nothing || fstatSync(fd).rdev !== nothing.rdev || nothing.rdev === 0) return false;
  try {
    readSync(fd, new Uint8Array(1));
    return true;
  } catch {
    return false;
  }
}
