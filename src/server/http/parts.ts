import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Pieces } from '../../http/compression.ts';
import type { Transfer } from './transfers.ts';

/** Of a compressed body: each part holds about as much of the response as an uncompressed part. */
const STREAM_PART_BYTES = 128_000;

/** Longer bodies are written to the socket in parts of this size, each after the previous one has been flushed. */
const PART_BYTES = 512_000;

/** Sends a body, whose pieces have this length together; a long one is tracked from its start. */
export function sendBody(response: ServerResponse, body: Pieces, length: number, track: () => Transfer) {
  const [only] = body;
  if (only === undefined || body.length > 1 || length > PART_BYTES) void sendParts(response, body, track());
  else sendWhole(response, only);
}

/** Up to this length, a copy of the body takes less time than a second buffer to write. */
const JOINED_BYTES = 8_000;

/**
 * Sends a body in one go with the headers; a short one as text, which Node joins to them. Passed to `end`, it would be
 * written with an empty last chunk: more than a twentieth of the total work of a small response.
 */
export function sendWhole(response: ServerResponse, body: Buffer): void {
  response.socket?.cork();
  if (body.length <= JOINED_BYTES) response.write(body.toString('latin1'), 'latin1');
  else response.write(body);
  response.socket?.uncork();
  response.end();
}

export async function sendParts(response: ServerResponse, body: Pieces, download: Transfer): Promise<void> {
  for (const piece of body) {
    for (let start = 0; start < piece.length; start += PART_BYTES) {
      const part = piece.subarray(start, start + PART_BYTES);
      if (!(await write(response, part))) return;
      download.recordProgress(part.length);
    }
  }
  response.end();
}

/**
 * Sends a body that is produced meanwhile, with backpressure. A disconnect ends the stream; what it throws is a failure
 * of the stream, never of its reader. While the next part is being made, it is not the client that keeps it waiting.
 */
export async function sendStream(
  response: ServerResponse,
  stream: AsyncIterable<Buffer>,
  download: Transfer,
): Promise<void> {
  download.isWaiting = true;
  for await (const part of stream) {
    download.resume();
    download.hold(part.length);
    if (!(await write(response, part))) return void response.destroy();
    download.recordProgress(part.length);
    download.hold(-part.length);
    download.isWaiting = true;
  }
  response.end();
}

/** Joins the chunks of a stream, which may be short. */
export async function* bufferedParts(stream: Readable): AsyncGenerator<Buffer> {
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

/** The chunks of a body of another kind, which is cancelled when the client leaves, even while it is waited for. */
export async function* foreignParts(body: ReadableStream<Uint8Array>, response: ServerResponse) {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  response.once('close', cancel);
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const { buffer, byteOffset, byteLength } = chunk.value;
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  } finally {
    response.off('close', cancel);
    cancel();
  }
}

/** Whether the kernel has accepted the part: not if the client has left. */
function write(response: ServerResponse, part: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    // Between the end of its socket and its own, a response drops what is written, and never calls back.
    const onClose = () => resolve(false);
    response.once('close', onClose);
    response.write(part, (error) => {
      response.off('close', onClose);
      resolve(!error);
    });
  });
}
