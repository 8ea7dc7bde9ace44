import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../http/request-error.ts';
import { ByteCollector } from '../limits/byte-collector.ts';
import type { ReceivedText } from '../plugins/context.ts';
import { checkContent } from '../plugins/http-checks.ts';
import { decodeBody, MAX_BODY_BYTES, opensArray, refusedText, TOO_LARGE } from '../plugins/received-text.ts';
import { ChunkCount } from './chunk-count.ts';
import type { Connection } from './connection.ts';
import type { TransferAbortReason, Transfers } from './transfers.ts';

/** Where the body of a request is counted. */
export interface Receiving {
  readonly uploads: Transfers;
  readonly connection: Connection;
  /** Whether the connection can be used again once the body has been read. */
  readonly shouldKeepAlive: boolean;
  /** Called when it is refused because others need the room. */
  readonly onEvict: () => void;
}

/**
 * Receives the body of an operation. If it is not to be read, stalls, is evicted or is too large, its text cannot be
 * taken. It counts as an upload until its text is taken: thousands may arrive in one event loop turn. Rejects only if
 * the client leaves.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  receiving: Receiving,
): Promise<ReceivedText> | ReceivedText {
  const { headers, httpVersion } = request;
  try {
    checkContent(headers);
    if (Number(headers['content-length']) > MAX_BODY_BYTES) throw TOO_LARGE;
  } catch (error) {
    return refusedText(error);
  }
  // HTTP/1.0 knows no 100 Continue: a client of it would take that for the response.
  if (headers.expect !== undefined && httpVersion !== '1.0') response.writeContinue();
  response.shouldKeepAlive = receiving.shouldKeepAlive;
  return readBody(request, receiving);
}

function readBody(
  request: IncomingMessage,
  { uploads, connection, onEvict }: Receiving,
): Promise<ReceivedText> {
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  return new Promise((resolve, reject) => {
    let received = new ByteCollector();
    let failure: RequestError | undefined;
    let isArray: boolean | undefined;
    const chunks = new ChunkCount();
    const drop = () => {
      upload.end();
      // The request may stay for a while, until the client has read the response.
      received = new ByteCollector();
    };
    const fail = (error: RequestError) => {
      request.removeAllListeners('data').pause();
      drop();
      failure = error;
      resolve(refusedText(error));
    };
    const upload = uploads.start(
      connection.owner,
      (reason) => {
        if (reason === 'evicted') onEvict();
        fail(ABORT_ERRORS[reason]);
      },
      () => connection.touch(),
    );
    const check = () => {
      if (failure) throw failure;
    };
    const read = () => {
      check();
      const body = received.content();
      received = new ByteCollector();
      return decodeBody(body);
    };
    const take = () => {
      try {
        return read();
      } finally {
        drop();
      }
    };
    request.on('data', (chunk: Buffer) => {
      isArray ??= opensArray(chunk);
      chunks.add(chunk.length);
      upload.recordProgress(chunk.length);
      upload.hold(received.append(chunk));
      if (received.length > MAX_BODY_BYTES) fail(TOO_LARGE);
      else if (isChunked && chunks.areTooSmall) fail(SMALL_CHUNKS);
    });
    request.on('end', () => {
      upload.isWaiting = true;
      resolve({ isArray: isArray === true, check, read, take, drop });
    });
    request.on('error', (error) => {
      drop();
      reject(error);
    });
  });
}

/** The rest of the body is not read, so the connection cannot be reused. */
const CLOSE = { connection: 'close' };

const ABORT_ERRORS: { readonly [reason in TransferAbortReason]: RequestError } = {
  stalled: new RequestError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.', CLOSE),
  evicted: new RequestError(503, 'OVERLOADED', 'Too many requests are arriving.', {
    ...CLOSE,
    'retry-after': '1',
  }),
};

const SMALL_CHUNKS = new RequestError(
  400,
  'BAD_REQUEST',
  'The body comes in too many small chunks: send it with `Content-Length`, or in larger ones.',
  CLOSE,
);

/** Whether a body that was not read is too large to be drained, so that the connection cannot be used again. */
export function hasLargeUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
  );
}
