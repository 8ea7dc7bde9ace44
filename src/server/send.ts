import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Compression, compress, createEncoder } from '../http/compression.ts';
import { getWritten } from '../response/create-response.ts';

/** Sends a response of Yoga. `hold` reserves memory until it has been sent, and throws if there is none. */
export async function sendResponse(
  res: ServerResponse,
  response: Response,
  compression: Compression,
  hold: (bytes: number) => void,
): Promise<void> {
  const { body, isCompressible } = getWritten(response) ?? {};
  const whole = typeof body === 'string' || Buffer.isBuffer(body) ? body : undefined;
  const length = whole === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(whole);
  const { 'accept-encoding': accepted } = res.req.headers;
  const encoding = isCompressible && compression.encodingFor(accepted, length);
  const headers: OutgoingHttpHeaders = {};
  response.headers.forEach((value, name) => {
    headers[name] = name === 'set-cookie' ? response.headers.getSetCookie() : value;
  });
  if (encoding) headers['content-encoding'] = encoding;
  if (whole !== undefined) {
    hold(length);
    const bytes = encoding ? await compress(whole, encoding) : whole;
    // The client may have disconnected during compression.
    if (res.destroyed) return;
    headers['content-length'] = encoding ? bytes.length : length;
    return endResponse(res.writeHead(response.status, headers), bytes);
  }
  res.writeHead(response.status, headers);
  if (response.body) {
    const stream = readChunks(response.body, res);
    // The first chunk may take a while.
    res.flushHeaders();
    // A stream that fails must not end the response as if it were complete.
    if (encoding) await pipeline(stream, createEncoder(encoding), res, { end: false });
    else await pipeline(stream, res, { end: false });
  }
  res.end();
}

/** Ends a response. Reads and drops what still arrives of its request: closing now could lose the response. */
export function endResponse(res: ServerResponse, bytes: string | Buffer = ''): void {
  const { complete, socket } = res.req;
  // Node calls this after the last response of a connection. `requestTimeout` ends a request that never ends.
  if (!complete) socket.destroySoon = () => void socket.end();
  res.end(bytes);
}

/** Reads the chunks of a body. Cancels it when the client disconnects, even during a read. */
async function* readChunks(
  body: ReadableStream<Uint8Array>,
  res: ServerResponse,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let cancelled: Promise<void> | undefined;
  res.once('close', () => {
    cancelled = reader.cancel().catch(() => {});
  });
  try {
    for (let { value } = await reader.read(); value; { value } = await reader.read()) yield value;
  } finally {
    await cancelled;
  }
}
