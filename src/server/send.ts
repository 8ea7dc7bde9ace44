import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Compression, compress, createEncoder } from '../http/compression.ts';
import type { Exchange } from '../request/exchange.ts';
import { MAX_BODY_BYTES } from '../request/params.ts';

/** Sends a response of Yoga. `hold` reserves memory until it has been sent, and throws if there is none. */
export async function sendResponse(
  res: ServerResponse,
  response: Response,
  { sent }: Exchange,
  compression: Compression,
  hold: (bytes: number) => void,
): Promise<void> {
  // A plugin may have replaced the gateway's response.
  const { body, isCompressible, page } = (sent?.response === response && sent.written) || {};
  const whole = page ?? (typeof body === 'string' || Buffer.isBuffer(body) ? body : undefined);
  const length = whole === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(whole);
  const { 'accept-encoding': accepted } = res.req.headers;
  const encoding = isCompressible && compression.encodingFor(accepted, length);
  const headers: OutgoingHttpHeaders = {};
  response.headers.forEach((value, name) => {
    headers[name] = name === 'set-cookie' ? response.headers.getSetCookie() : value;
  });
  if (encoding) headers['content-encoding'] = encoding;
  if (whole !== undefined) {
    if (!page) hold(length);
    const bytes = encoding ? await compress(whole, encoding) : whole;
    // The client may have disconnected during compression.
    if (res.destroyed) return;
    headers['content-length'] = encoding ? bytes.length : length;
    writeHead(res, response.status, headers);
    return void res.end(bytes);
  }
  writeHead(res, response.status, headers);
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

function writeHead(res: ServerResponse, status: number, headers: OutgoingHttpHeaders): void {
  const { complete, headers: received } = res.req;
  // Close the connection rather than read the rest of a body that is long, or has no length.
  const isLong = 'transfer-encoding' in received || Number(received['content-length'] ?? 0) > MAX_BODY_BYTES;
  if (!complete && isLong) res.setHeader('Connection', 'close');
  res.writeHead(status, headers);
}
