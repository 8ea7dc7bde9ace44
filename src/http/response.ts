import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { KeptForms } from '../plugins/kept-forms.ts';
import type { Compression } from './compression.ts';
import type { Encoding } from './encoders.ts';
import { sendParts, sendStream } from './parts.ts';
import { NO_STORE } from './refusal.ts';
import type { Transfer, Transfers } from './transfers.ts';

/** An answer to an operation, ready to be sent. */
export interface GraphqlResponse {
  readonly status: number;
  readonly contentType: string;
  /** Text with one character a byte, in pieces that are written one after another. */
  readonly body: readonly string[];
  /** For an answer that is sent again: where its compressed forms are kept, and under which name. */
  readonly kept?: { readonly forms: KeptForms; readonly name: string } | undefined;
}

/** What an answer's request says of how to send it. */
export interface Delivery {
  readonly requestId: string;
  readonly owner: string;
  readonly acceptEncoding: string | undefined;
}

/** What all answers are sent with. */
export interface Sender {
  readonly downloads: Transfers;
  readonly compression: Compression;
  readonly vary: string;
}

/** A longer answer is compressed while it is sent, in place of before. */
const STREAMED_BYTES = 4_000_000;

/** Longer bodies are handed to the socket in parts of this size, each when the one before has gone out. */
const PART_BYTES = 512_000;

/** Sends an answer; a client that does not read it is cut. */
export function sendResponse(
  response: ServerResponse,
  answer: GraphqlResponse,
  delivery: Delivery,
  sender: Sender,
): void | Promise<void> {
  const { body } = answer;
  const [only = ''] = body;
  const length = body.length === 1 ? only.length : body.reduce((sum, piece) => sum + piece.length, 0);
  const encoding = sender.compression.encodingFor(delivery.acceptEncoding, length);
  const outgoing = { response, answer, delivery, sender, length };
  return encoding === undefined ? sendPlain(outgoing) : sendCompressed(outgoing, encoding);
}

interface Outgoing {
  readonly response: ServerResponse;
  readonly answer: GraphqlResponse;
  readonly delivery: Delivery;
  readonly sender: Sender;
  /** Of the body as it is. */
  readonly length: number;
}

function sendPlain(outgoing: Outgoing, watched?: Transfer): void {
  const { response, answer, length } = outgoing;
  const { body } = answer;
  const [only = ''] = body;
  writeHead(outgoing, length);
  if (body.length > 1 || length > PART_BYTES) {
    sendParts(response, body, PART_BYTES, watched ?? watch(outgoing));
    return;
  }
  // Head and body in one piece. Given to `end`, the body would be gathered with an empty last piece: in a small
  // answer that is more than a twentieth of all its work.
  response.socket?.cork();
  response.write(only, 'latin1');
  response.socket?.uncork();
  response.end();
  // What the system took at once needs no watching.
  if (response.socket?.writableLength && watched === undefined) watch(outgoing);
}

async function sendCompressed(outgoing: Outgoing, encoding: Encoding): Promise<void> {
  const { response, answer, delivery, sender, length } = outgoing;
  const { body, kept } = answer;
  // Counted from now on: whoever leaves, or has to give way, meanwhile needs no answer any more.
  const download = watch(outgoing);
  if (length > STREAMED_BYTES) {
    const stream = sender.compression.stream(body, encoding, delivery.owner);
    if (stream === undefined) return sendPlain(outgoing, download);
    writeHead(outgoing, undefined, encoding);
    return sendStream(response, stream, download);
  }
  const make = () => sender.compression.whole(body, encoding, delivery.owner);
  const packed = await (kept ? kept.forms.once(`${encoding} ${kept.name}`, make) : make());
  if (response.destroyed) return;
  if (packed === undefined) return sendPlain(outgoing, download);
  writeHead(outgoing, packed.length, encoding);
  sendParts(response, [packed], PART_BYTES, download);
}

function writeHead(
  { response, answer, delivery, sender }: Outgoing,
  length: number | undefined,
  encoding?: Encoding,
): void {
  const headers: OutgoingHttpHeaders = {
    'Content-Type': `${answer.contentType}; charset=utf-8`,
    'Cache-Control': NO_STORE,
    Vary: sender.vary,
    'X-Request-Id': delivery.requestId,
  };
  if (length !== undefined) headers['Content-Length'] = length;
  if (encoding !== undefined) headers['Content-Encoding'] = encoding;
  response.writeHead(answer.status, headers);
}

function watch({ response, delivery, sender, length }: Outgoing): Transfer {
  const download = sender.downloads.start(delivery.owner, () => response.destroy());
  response.once('close', () => download.end());
  download.hold(length);
  return download;
}
