import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Compression, compress, createEncoder } from '../http/compression.ts';
import { type BodyStream, bodyOf } from '../http/response-body.ts';

/**
 * Sends a response of Yoga. `hold` takes memory for it until it has been sent, and throws if there is no room; `onFault` is
 * told if it fails in the middle, before its client is.
 */
export async function sendAnswer(
  res: ServerResponse,
  answer: Response,
  compression: Compression,
  hold: (bytes: number) => void,
  onFault: (error: unknown) => void,
): Promise<void> {
  const acceptEncoding = res.req.headers['accept-encoding'];
  const made = bodyOf(answer);
  if (made && 'bytes' in made) {
    const { bytes, isOwn, isCompressible } = made;
    if (isOwn) hold(bytes.length);
    const encoding = isCompressible ? compression.encodingFor(acceptEncoding, bytes.length) : undefined;
    if (encoding === undefined) return sendWhole(res, answer, bytes, { 'content-length': bytes.length });
    const body = await compress(bytes, encoding);
    return sendWhole(res, answer, body, { 'content-length': body.length, 'content-encoding': encoding });
  }
  // What a plugin has made is sent as it comes, since it may be a stream of events.
  const stream = made?.stream ?? (answer.body && partsOf(answer.body, res));
  if (!stream) return sendWhole(res, answer);
  const encoding = made?.isCompressible
    ? compression.encodingFor(acceptEncoding, Number.POSITIVE_INFINITY)
    : undefined;
  writeHead(res, answer, encoding && { 'content-encoding': encoding });
  // The first part may be a while in coming.
  res.flushHeaders();
  const parts = reporting(stream, onFault);
  try {
    await (encoding ? pipeline(parts, createEncoder(encoding), res) : pipeline(parts, res));
  } finally {
    // A client that leaves ends the pipeline, and not yet what is read, which tells the last REST calls.
    await stream.return();
  }
}

async function* reporting(stream: BodyStream, onFault: (error: unknown) => void): BodyStream {
  try {
    yield* stream;
  } catch (error) {
    onFault(error);
    throw error;
  }
}

/** A body of another kind is cancelled when the client leaves, even while it is waited for. */
async function* partsOf(body: ReadableStream<Uint8Array>, res: ServerResponse): BodyStream {
  const reader = body.getReader();
  res.once('close', () => void reader.cancel().catch(() => {}));
  for (let { value } = await reader.read(); value; { value } = await reader.read()) yield Buffer.from(value);
}

/** Up to this length, a copy of the body takes less time than a second buffer to write. */
const JOINED_BYTES = 8_000;

function sendWhole(res: ServerResponse, answer: Response, body?: Buffer, more?: OutgoingHttpHeaders): void {
  // Its client may have left while it was compressed.
  if (res.destroyed) return;
  writeHead(res, answer, more);
  // As text, Node writes it in one go with the headers.
  if (body && body.length <= JOINED_BYTES) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

function writeHead(res: ServerResponse, { status, headers }: Response, more?: OutgoingHttpHeaders): void {
  const outgoing: OutgoingHttpHeaders = {};
  headers.forEach((value, name) => {
    outgoing[name] = name === 'set-cookie' ? headers.getSetCookie() : value;
  });
  res.writeHead(status, Object.assign(outgoing, more));
}
