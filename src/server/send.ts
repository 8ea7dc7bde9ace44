import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { type Compression, compress, createEncoder, type Encoding } from '../http/compression.ts';
import { type BodyStream, bodyOf } from '../http/response-body.ts';

/** Takes memory for a response until it has been sent, or gives some back; throws if there is no room. */
type HoldUnsent = (bytes: number) => void;

/** Sends a response of Yoga. */
export async function sendAnswer(
  res: ServerResponse,
  answer: Response,
  compression: Compression,
  hold: HoldUnsent,
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
  try {
    await sendParts(res, encoding ? compressed(stream, encoding) : stream, hold);
  } finally {
    // A compressor does not wait for the end of what it reads, which tells the last REST calls.
    await stream.return();
  }
}

/** With backpressure, until the client leaves. What the stream throws is a failure of the stream, never of its reader. */
async function sendParts(res: ServerResponse, parts: AsyncIterable<Buffer>, hold: HoldUnsent): Promise<void> {
  for await (const part of parts) {
    if (res.destroyed) return;
    if (res.write(part)) continue;
    hold(part.length);
    await new Promise((resolve) => res.once('drain', resolve).once('close', resolve));
    hold(-part.length);
  }
  res.end();
}

function compressed(stream: BodyStream, encoding: Encoding): AsyncIterable<Buffer> {
  const encoder = createEncoder(encoding);
  // Errors are emitted by the encoder, to its consumer.
  pipeline(Readable.from(stream), encoder, () => {});
  return encoder;
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
