import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import { compositeKey } from '../../composite-key.ts';
import type { Compression, Encoding } from '../../http/compression.ts';
import { errorAnswer, type RequestError } from '../../http/errors.ts';
import { bodyOf, type ResponseBody, type StreamedBody, streamOf } from '../../http/response-body.ts';
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
  readonly body: ResponseBody;
  /** Length of the uncompressed body. */
  readonly length: number;
}

/** Sends the responses of Yoga; a client that stops reading one is disconnected. */
export class ResponseSender {
  readonly #downloads: Transfers;
  readonly #compression: Compression;

  constructor(downloads: Transfers, compression: Compression) {
    this.#downloads = downloads;
    this.#compression = compression;
  }

  send(response: ServerResponse, answer: Response, connection: Connection): void | Promise<void> {
    if (hasUnreadBody(response.req)) response.shouldKeepAlive = false;
    const stream = streamOf(answer);
    if (stream) return this.#sendStream(response, answer, stream, connection);
    const body = bodyOf(answer);
    if (body === undefined) return this.#sendForeign(response, answer, connection);
    let length = 0;
    for (const piece of body.pieces) length += piece.length;
    const sending = { response, answer, connection, body, length };
    const encoding = body.isCompressible
      ? this.#compression.encodingFor(response.req.headers['accept-encoding'], length)
      : undefined;
    return encoding === undefined ? this.#sendPlain(sending) : this.#sendCompressed(sending, encoding);
  }

  #sendPlain({ response, answer, connection, body, length }: Sending): void {
    writeHead(response, answer, { 'Content-Length': length });
    sendBody(response, body.pieces, length, () => connection.track(this.#downloads, body.ownBytes));
  }

  async #sendCompressed(sending: Sending, encoding: Encoding): Promise<void> {
    const { response, answer, connection, body, length } = sending;
    const { owner } = connection;
    const { pieces, compressed } = body;
    // Tracked from now on: if the client disconnects or is evicted during compression, no response is sent.
    const download = connection.track(this.#downloads, length);
    if (length > STREAMED_BYTES) {
      const stream = this.#compression.stream(pieces, encoding, owner);
      if (stream === undefined) return this.#sendPlain(sending);
      answer.headers.delete('content-length');
      writeHead(response, answer, { 'Content-Encoding': encoding });
      return sendStream(response, bufferedParts(stream), download);
    }
    const create = () => this.#compression.compress(pieces, encoding, owner);
    const compressedBody = await (compressed
      ? compressed.bodies.getOrCreate(compositeKey(encoding, compressed.name), create)
      : create());
    if (response.destroyed) return;
    if (compressedBody === undefined) return this.#sendPlain(sending);
    writeHead(response, answer, { 'Content-Length': compressedBody.length, 'Content-Encoding': encoding });
    return sendParts(response, [compressedBody], download);
  }

  /** A response that a plugin has made: its body is sent as it comes, since it may be a stream of events. */
  #sendForeign(response: ServerResponse, answer: Response, connection: Connection): void | Promise<void> {
    if (answer.body) {
      const stream = foreignParts(answer.body, response);
      return this.#sendStream(response, answer, { stream, isCompressible: false }, connection);
    }
    writeHead(response, answer);
    response.end();
  }

  /** A body that is made while it is sent: of any length, so that it is compressed on its way if at all. */
  async #sendStream(
    response: ServerResponse,
    answer: Response,
    { stream, isCompressible }: StreamedBody,
    connection: Connection,
  ): Promise<void> {
    const acceptEncoding = isCompressible ? response.req.headers['accept-encoding'] : undefined;
    const encoding = this.#compression.encodingFor(acceptEncoding, Number.POSITIVE_INFINITY);
    const compressed = encoding && this.#compression.stream(stream, encoding, connection.owner);
    writeHead(response, answer, compressed && { 'Content-Encoding': encoding });
    // The first part may be a while in coming.
    response.flushHeaders();
    const download = connection.track(this.#downloads, 0);
    try {
      await sendStream(response, compressed ?? stream, download);
    } finally {
      // A compressor does not wait for the end of what it reads, which tells the last REST calls.
      await stream.return();
    }
  }
}

function writeHead(
  response: ServerResponse,
  { status, headers }: Response,
  more?: OutgoingHttpHeaders,
): void {
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
