import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Compression, compress, createEncoder, type Encoding } from '../http/compression.ts';
import { type BodyStream, bodyOf } from '../response/response-body.ts';

/** Up to this length, a copy takes less time than a second buffer to write. */
const JOINED_BYTES = 8_000;

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
  const made = bodyOf(answer);
  const length = made && 'whole' in made ? made.bytes : Number.POSITIVE_INFINITY;
  const encoding = made?.isCompressible
    ? compression.encodingFor(res.req.headers['accept-encoding'], length)
    : undefined;
  if (made && 'whole' in made) {
    if (made.isOwn) hold(length);
    const { whole } = made;
    // Node writes a text in one go with the headers, and copies both for that.
    const body = encoding
      ? await compress(whole, encoding)
      : length > JOINED_BYTES
        ? Buffer.from(whole)
        : whole;
    // Its client may have left meanwhile.
    if (res.destroyed) return;
    writeHead(res, answer, encoding, encoding ? body.length : length);
    res.end(body);
    return;
  }
  writeHead(res, answer, encoding);
  // What a plugin has made is sent as it comes, since it may be a stream of events.
  const stream = made?.stream ?? (answer.body && partsOf(answer.body, res));
  if (!stream) return void res.end();
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

function writeHead(
  res: ServerResponse,
  { status, headers }: Response,
  encoding?: Encoding,
  length?: number,
): void {
  const outgoing: OutgoingHttpHeaders = {};
  headers.forEach((value, name) => {
    outgoing[name] = name === 'set-cookie' ? headers.getSetCookie() : value;
  });
  if (encoding !== undefined) outgoing['content-encoding'] = encoding;
  if (length !== undefined) outgoing['content-length'] = length;
  res.writeHead(status, outgoing);
}
