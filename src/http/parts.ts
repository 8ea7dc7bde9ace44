import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Pieces } from './compression.ts';
import type { Transfer } from './transfers.ts';

/** About as much of an answer as one part of it is where it is not compressed. */
const STREAM_PART_BYTES = 128_000;

/**
 * Sends a short body, one character a byte, with its head in one piece. Given to `end`, the body would be gathered with
 * an empty last piece: in a small response that is more than a twentieth of all its work.
 */
export function sendWhole(response: ServerResponse, body: string): void {
  response.socket?.cork();
  response.write(body, 'latin1');
  response.socket?.uncork();
  response.end();
}

/** Hands a body to the socket part by part, each when the one before has gone out. */
export function sendParts(
  response: ServerResponse,
  body: Pieces,
  partBytes: number,
  download: Transfer,
): void {
  const parts = partsOf(body, partBytes);
  const sendNext = () => {
    const { value, done } = parts.next();
    if (done) return void response.end();
    // The callback comes when the system has taken the part, or when the connection has gone.
    response.write(value, 'latin1', (error) => {
      if (error) return;
      download.recordProgress(value.length);
      sendNext();
    });
  };
  sendNext();
}

function* partsOf(body: Pieces, partBytes: number): Generator<string | Buffer> {
  for (const piece of body) {
    for (let start = 0; start < piece.length; start += partBytes) yield piece.slice(start, start + partBytes);
  }
}

/** The same for a body that is made while it is sent, no faster than it is read. Whatever ends it ends the stream. */
export async function sendStream(
  response: ServerResponse,
  stream: Readable,
  download: Transfer,
): Promise<void> {
  try {
    for await (const part of bufferedParts(stream)) {
      await write(response, part);
      download.recordProgress(part.length);
    }
    response.end();
  } catch {
    // Its client has gone; or it cannot be finished, which only a connection that breaks can tell by now.
    response.destroy();
  }
}

async function* bufferedParts(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < STREAM_PART_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(chunks);
}

function write(response: ServerResponse, part: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(part, (error) => (error ? reject(error) : resolve()));
  });
}
