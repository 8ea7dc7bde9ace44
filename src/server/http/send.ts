import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import { compositeKey } from '../../composite-key.ts';
import type { Compression, Encoding } from '../../http/compression.ts';
import { errorAnswer, type RequestError } from '../../http/errors.ts';
import {
  bodyOf,
  lengthOf,
  type ResponseBody,
  type StreamedBody,
  streamOf,
} from '../../http/response-body.ts';
import { type Observation, serverTiming } from '../../telemetry/observation.ts';
import { hasUnreadBody } from './body.ts';
import { usuallySpelled, usualSpelling } from './check-request.ts';
import type { Connection } from './connection.ts';
import { bufferedParts, foreignParts, sendBody, sendParts, sendStream, sendWhole } from './parts.ts';
import type { Transfers } from './transfers.ts';

/** Longer responses are compressed while they are sent, not before. */
const STREAMED_BYTES = 4_000_000;

interface Sending {
  readonly response: ServerResponse;
  readonly answer: Response;
  readonly connection: Connection;
  readonly downloads: Transfers;
  readonly compression: Compression;
}

/** Sends a response of Yoga; a client that stops reading it is disconnected. */
export function sendAnswer(sending: Sending): void | Promise<void> {
  const { response, answer, compression } = sending;
  if (hasUnreadBody(response.req)) response.shouldKeepAlive = false;
  const body = bodyOf(answer);
  if (body === undefined) {
    const stream = streamOf(answer);
    if (stream) return sendStreamed(sending, stream);
    // What a plugin has made is sent as it comes, since it may be a stream of events.
    if (answer.body)
      return sendStreamed(sending, { stream: foreignParts(answer.body, response), isCompressible: false });
    writeHead(response, answer);
    return void response.end();
  }
  const length = lengthOf(body.pieces);
  const encoding = body.isCompressible
    ? compression.encodingFor(response.req.headers['accept-encoding'], length)
    : undefined;
  if (encoding === undefined) return sendPlain(sending, body, length);
  return sendCompressed(sending, body, length, encoding);
}

function sendPlain(
  { response, answer, connection, downloads }: Sending,
  { pieces, ownBytes }: ResponseBody,
  length: number,
): void {
  writeHead(response, answer, { 'Content-Length': length });
  sendBody(response, pieces, length, () => connection.track(downloads, ownBytes));
}

async function sendCompressed(sending: Sending, body: ResponseBody, length: number, encoding: Encoding) {
  const { response, answer, connection, downloads, compression } = sending;
  const { pieces, compressed } = body;
  // Tracked from now on: if the client disconnects or is evicted during compression, no response is sent.
  const download = connection.track(downloads, length);
  if (length > STREAMED_BYTES) {
    const stream = compression.stream(pieces, encoding, connection.owner);
    if (stream === undefined) return sendPlain(sending, body, length);
    answer.headers.delete('content-length');
    writeHead(response, answer, { 'Content-Encoding': encoding });
    return sendStream(response, bufferedParts(stream), download);
  }
  const create = () => compression.compress(pieces, encoding, connection.owner);
  const compressedBody = await (compressed
    ? compressed.bodies.getOrCreate(compositeKey(encoding, compressed.name), create)
    : create());
  if (response.destroyed) return;
  if (compressedBody === undefined) return sendPlain(sending, body, length);
  writeHead(response, answer, { 'Content-Length': compressedBody.length, 'Content-Encoding': encoding });
  return sendParts(response, [compressedBody], download);
}

/** A body that is made while it is sent: of any length, so that it is compressed on its way if at all. */
async function sendStreamed(
  { response, answer, connection, downloads, compression }: Sending,
  { stream, isCompressible }: StreamedBody,
): Promise<void> {
  const acceptEncoding = isCompressible ? response.req.headers['accept-encoding'] : undefined;
  const encoding = compression.encodingFor(acceptEncoding, Number.POSITIVE_INFINITY);
  const compressed = encoding && compression.stream(stream, encoding, connection.owner);
  writeHead(response, answer, compressed && { 'Content-Encoding': encoding });
  // The first part may be a while in coming.
  response.flushHeaders();
  const download = connection.track(downloads, 0);
  try {
    await sendStream(response, compressed ?? stream, download);
  } finally {
    // A compressor does not wait for the end of what it reads, which tells the last REST calls.
    await stream.return();
  }
}

function writeHead(response: ServerResponse, { status, headers }: Response, more?: OutgoingHttpHeaders) {
  const outgoing: OutgoingHttpHeaders = {};
  headers.forEach((value, name) => {
    outgoing[usualSpelling(name)] = name === 'set-cookie' ? headers.getSetCookie() : value;
  });
  response.writeHead(status, Object.assign(outgoing, more));
}

/** The response to what is not handed to Yoga. */
export function sendError(response: ServerResponse, error: RequestError, observed: Observation): void {
  const { req } = response;
  observed.addCode(error.code);
  if (hasUnreadBody(req)) response.shouldKeepAlive = false;
  const { status, headers, body } = errorAnswer(error, observed.requestId, req.headers.accept);
  response.writeHead(status, {
    ...usuallySpelled(headers),
    'Content-Length': body.length,
    'Server-Timing': serverTiming(observed),
  });
  sendWhole(response, body);
}

/** A serialized error response, for sockets without a `ServerResponse`. */
export function rawErrorResponse(error: RequestError, requestId: string): string {
  const { status, headers, body } = errorAnswer(error, requestId);
  const lines = Object.entries({
    ...usuallySpelled(headers),
    'Content-Length': body.length,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
