import type { ServerResponse } from 'node:http';
import { NO_STORE } from './refusal.ts';
import type { Transfers } from './transfers.ts';

/** An answer to an operation, ready to be sent. */
export interface GraphqlResponse {
  readonly status: number;
  readonly contentType: string;
  /** Text with one character a byte, in pieces that are written one after another. */
  readonly body: readonly string[];
}

/** Longer bodies are handed to the socket in parts of this size, each when the one before has gone out. */
export const PART_BYTES = 512_000;

/** Sends an answer; a client that does not read it is cut. */
export function sendResponse(
  response: ServerResponse,
  { status, contentType, body }: GraphqlResponse,
  { requestId, vary }: { readonly requestId: string; readonly vary: string },
  downloads: Transfers,
  owner: string,
): void {
  const [only = ''] = body;
  const length = body.length === 1 ? only.length : body.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(status, {
    'Content-Type': `${contentType}; charset=utf-8`,
    'Content-Length': length,
    'Cache-Control': NO_STORE,
    Vary: vary,
    'X-Request-Id': requestId,
  });
  if (body.length === 1 && length <= PART_BYTES) {
    // Head and body in one piece. Given to `end`, the body would be gathered with an empty last piece: in a small
    // answer that is more than a twentieth of all its work.
    response.socket?.cork();
    response.write(only, 'latin1');
    response.socket?.uncork();
    response.end();
    // What the system took at once needs no watching.
    if (response.socket?.writableLength) watch(response, downloads, owner, length);
  } else {
    sendParts(response, partsOf(body), watch(response, downloads, owner, length));
  }
}

function watch(response: ServerResponse, downloads: Transfers, owner: string, length: number) {
  const download = downloads.start(owner, () => response.destroy());
  response.once('close', () => download.end());
  download.hold(length);
  return download;
}

function sendParts(
  response: ServerResponse,
  parts: Iterator<string>,
  download: ReturnType<typeof watch>,
): void {
  const sendNext = () => {
    const { value, done } = parts.next();
    if (done) return void response.end();
    // The callback comes when the system has taken the part, or when the connection has gone.
    response.write(value, 'latin1', (error) => {
      if (error) return;
      download.move(value.length);
      sendNext();
    });
  };
  sendNext();
}

function* partsOf(body: readonly string[]): Generator<string> {
  for (const piece of body) {
    for (let start = 0; start < piece.length; start += PART_BYTES)
      yield piece.slice(start, start + PART_BYTES);
  }
}
