import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteCollector } from '../limits/byte-collector.ts';
import { ChunkCount } from './chunk-count.ts';
import type { Connection } from './connection.ts';
import { HttpError } from './errors.ts';
import type { TransferAbortReason, Transfers } from './transfers.ts';

const MAX_BODY_BYTES = 1_000_000;

/** The text of an operation, which has arrived and waits for its turn. */
export interface ReceivedText {
  /** Gives the text once, and counts it no longer; throws if it had to make room for others. */
  take(): string;
  /** Gives up the text. */
  drop(): void;
}

/**
 * Reads the request body; rejects if the upload stalls, is evicted or is too large. It counts as an upload until its
 * text is taken: thousands may arrive in one event loop turn.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  uploads: Transfers,
  connection: Connection,
): Promise<ReceivedText> {
  const { expect, 'content-length': length, 'transfer-encoding': transferEncoding } = request.headers;
  if (Number(length) > MAX_BODY_BYTES) throw TOO_LARGE;
  // HTTP/1.0 knows no 100 Continue: a client of it would take that for the response.
  if (expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
  return new Promise((resolve, reject) => {
    let received = new ByteCollector();
    let failure: HttpError | undefined;
    const chunks = new ChunkCount();
    const drop = () => {
      upload.end();
      // The request may stay for a while, until the client has read the response.
      received = new ByteCollector();
    };
    const fail = (error: HttpError) => {
      request.removeAllListeners('data').pause();
      drop();
      failure = error;
      reject(error);
    };
    const upload = uploads.start(
      connection.owner,
      (reason) => fail(ABORT_ERRORS[reason]),
      () => connection.touch(),
    );
    const take = () => {
      if (failure) throw failure;
      const body = received.content();
      drop();
      if (isUtf8(body)) return body.toString('utf8');
      throw NOT_UTF8;
    };
    request.on('data', (chunk: Buffer) => {
      chunks.add(chunk.length);
      upload.recordProgress(chunk.length);
      upload.hold(received.append(chunk));
      if (received.length > MAX_BODY_BYTES) fail(TOO_LARGE);
      else if (transferEncoding && chunks.areTooSmall) fail(SMALL_CHUNKS);
    });
    request.on('end', () => {
      upload.isComplete = true;
      resolve({ take, drop });
    });
    request.on('error', (error) => {
      drop();
      reject(error);
    });
  });
}

/** The rest of the body is not read, so the connection cannot be reused. */
const CLOSE = { Connection: 'close' };

const ABORT_ERRORS: { readonly [reason in TransferAbortReason]: HttpError } = {
  stalled: new HttpError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.', CLOSE),
  evicted: new HttpError(
    503,
    'OVERLOADED',
    'Too many requests are arriving.',
    { ...CLOSE, 'Retry-After': '1' },
    'uploads',
  ),
};

const TOO_LARGE = new HttpError(
  413,
  'PAYLOAD_TOO_LARGE',
  `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  CLOSE,
);

const SMALL_CHUNKS = new HttpError(
  400,
  'BAD_REQUEST',
  'The body comes in too many small chunks: send it with `Content-Length`, or in larger ones.',
  CLOSE,
);

const NOT_UTF8 = new HttpError(400, 'BAD_REQUEST', 'The body is not UTF-8.');

/** Whether a body that was not read is too large to be drained, so that the connection cannot be used again. */
export function hasLargeUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
  );
}
