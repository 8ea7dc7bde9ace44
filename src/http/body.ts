import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError } from './errors.ts';
import type { TransferAbortReason, Transfers } from './transfers.ts';

const MAX_BODY_BYTES = 1_000_000;
/** Approximate memory of a request before its body arrives: Node's objects and the headers. */
const REQUEST_BYTES = 16_000;

/** Reads the request body as text; rejects if the upload stalls, is evicted or is too large. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  uploads: Transfers,
  owner: string,
): Promise<string> {
  const { expect, 'content-length': length } = request.headers;
  if (Number(length) > MAX_BODY_BYTES) throw TOO_LARGE;
  if (expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: HttpError) => {
      request.removeAllListeners('data').pause();
      upload.end();
      reject(error);
    };
    const upload = uploads.start(owner, (reason) => fail(ABORT_ERRORS[reason]));
    upload.hold(REQUEST_BYTES);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return fail(TOO_LARGE);
      chunks.push(chunk);
      upload.recordProgress(chunk.length);
      upload.hold(chunk.length);
    });
    request.on('end', () => {
      upload.end();
      const [only] = chunks;
      const body = only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
      if (isUtf8(body)) resolve(body.toString('utf8'));
      else reject(NOT_UTF8);
    });
    request.on('error', (error) => {
      upload.end();
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

const NOT_UTF8 = new HttpError(400, 'BAD_REQUEST', 'The body is not UTF-8.');

/** Whether a body that was not read is too large to be drained, so that the connection cannot be used again. */
export function hasLargeUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
  );
}
