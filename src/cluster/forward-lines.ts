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
