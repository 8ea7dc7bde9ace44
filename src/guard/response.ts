import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { compositeKey } from '../composite-key.ts';
import type { GatewayResponse } from '../gateway/request.ts';
import { JSON_TYPE, typeFor } from '../negotiation.ts';
import { serverTiming } from '../plugins/server-timing.ts';
import type { Observation } from '../telemetry/observation.ts';
import { hasLargeUnreadBody } from './body.ts';
import type { Compression, Encoding } from './compression.ts';
import type { Connection } from './connection.ts';
import { allowedMethods, NO_STORE } from './errors.ts';
import { sendBody, sendParts, sendStream } from './parts.ts';
import type { Transfer, Transfers } from './transfers.ts';

export interface SendOptions {
  readonly observed: Observation;
  readonly connection: Connection;
  readonly contentType: string;
  readonly acceptEncoding: string | undefined;
  readonly vary: string;
  readonly downloads: Transfers;
  readonly compression: Compression;
}

/** Longer responses are compressed while they are sent, not before. */
const STREAMED_BYTES = 4_000_000;

/** Sends a response; a client that stops reading it is disconnected. */
export function sendResponse(
  response: ServerResponse,
  result: GatewayResponse,
  options: SendOptions,
): void | Promise<void> {
  const { body } = result;
  const [only = ''] = body;
  if (hasLargeUnreadBody(response.req)) response.shouldKeepAlive = false;
  const length = body.length === 1 ? only.length : body.reduce((sum, piece) => sum + piece.length, 0);
  options.observed.bytes = length;
  const encoding = options.compression.encodingFor(options.acceptEncoding, length);
  const sending = { options, response, result, length };
  return encoding === undefined ? sendPlain(sending) : sendCompressed(sending, encoding);
}

interface Sending {
  readonly options: SendOptions;
  readonly response: ServerResponse;
  readonly result: GatewayResponse;
  /** Length of the uncompressed body. */
  readonly length: number;
}

function sendPlain(sending: Sending): void {
  const { response, result, length } = sending;
  writeHead(sending, length);
  sendBody(response, result.body, length, () => trackDownload(sending));
}

async function sendCompressed(sending: Sending, encoding: Encoding): Promise<void> {
  const { response, result, options, length } = sending;
  const { compression } = options;
  const { owner } = options.connection;
  const { body, compressed } = result;
  // Tracked from now on: if the client disconnects or is evicted during compression, no response is sent.
  const download = trackDownload(sending);
  if (length > STREAMED_BYTES) {
    const stream = compression.stream(body, encoding, owner);
    if (stream === undefined) return sendPlain(sending);
    writeHead(sending, undefined, encoding);
    return sendStream(response, stream, download);
  }
  const create = () => compression.compress(body, encoding, owner);
  const compressedBody = await (compressed
    ? compressed.bodies.getOrCreate(compositeKey(encoding, compressed.name), create)
    : create());
  if (response.destroyed) return;
  if (compressedBody === undefined) return sendPlain(sending);
  writeHead(sending, compressedBody.length, encoding);
  sendParts(response, [compressedBody], download);
}

function writeHead(
  { response, result, options: { contentType, observed, vary } }: Sending,
  length: number | undefined,
  encoding?: Encoding,
): void {
  const status = statusFor(result, contentType);
  const headers: OutgoingHttpHeaders = {
    'Content-Type': `${result.contentType ?? typeFor(status, contentType)}; charset=utf-8`,
    'Cache-Control': NO_STORE,
    Vary: vary,
    'X-Request-Id': observed.requestId,
    'Server-Timing': serverTiming(observed),
  };
  if (result.headers) Object.assign(headers, result.headers);
  if (typeof headers.Allow === 'string') headers.Allow = allowedMethods(headers.Allow, response);
  if (length !== undefined) headers['Content-Length'] = length;
  if (encoding !== undefined) headers['Content-Encoding'] = encoding;
  response.writeHead(status, headers);
}

/** Clients that accept `application/json` expect a 200 for an invalid document; other errors use the status. */
function statusFor({ status, isInvalidDocument }: GatewayResponse, contentType: string): number {
  return isInvalidDocument && contentType === JSON_TYPE ? 200 : status;
}

function trackDownload({ options: { connection, downloads }, length }: Sending): Transfer {
  return connection.track(downloads, length);
}
