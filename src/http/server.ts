import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createDoor, type Rooms } from './door.ts';

const SWEEP_MS = 100;

export interface HttpServer {
  readonly port: number;
  /** Refuses new work, lets what is under way finish, and cuts what is left after the grace period. */
  drain(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** For the headers of a request, and for the whole of it: who sends slowly is cut. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** For the sending of an answer: who does not read it is cut, rather than keeping a place for ever. */
  readonly answerTimeoutMs?: number;
  readonly maxConnections?: number;
}

export async function listen(
  rooms: Omit<Rooms, 'isReady' | 'isLate'>,
  options: ListenOptions,
): Promise<HttpServer> {
  const {
    port,
    host,
    headersTimeoutMs = 10_000,
    requestTimeoutMs = 20_000,
    answerTimeoutMs = 3 * requestTimeoutMs,
    maxConnections = 5_000,
  } = options;
  let draining = false;
  let underWay = 0;
  /** Connections that were opened after the end had begun: they are told so. */
  const late = new WeakSet<Socket>();
  const door = createDoor({ ...rooms, isReady: () => !draining, isLate: ({ socket }) => late.has(socket) });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // A kept-alive connection would keep the process alive with it.
    if (draining) response.setHeader('Connection', 'close');
    if (!late.has(request.socket)) {
      underWay += 1;
      response.on('close', () => {
        underWay -= 1;
      });
    }
    await door(request, response);
    // An answer that went out in one piece needs no watching; the rest of a longer one may never be read.
    if (response.socket?.writableLength) cutLater(response, answerTimeoutMs);
  };
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
      // The door says what is wrong, in the same words as for any other host.
      requireHostHeader: false,
    },
    handle,
  );
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    if (draining) late.add(socket);
  });
  server.on('clientError', refuseRaw);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });

  return {
    port: portOf(server.address()),
    drain: (graceMs) =>
      new Promise((resolve) => {
        draining = true;
        const end = () => {
          clearTimeout(graceIsOver);
          clearInterval(sweep);
          server.close(() => resolve());
          server.closeAllConnections();
        };
        const graceIsOver = setTimeout(end, graceMs);
        // Until the last answer is out the port stays open, so that who asks is told that this one is stopping.
        const sweep = setInterval(() => (underWay === 0 ? end() : server.closeIdleConnections()), SWEEP_MS);
        if (underWay === 0) end();
        else server.closeIdleConnections();
      }),
  };
}

function cutLater(response: ServerResponse, answerTimeoutMs: number): void {
  const cut = setTimeout(() => response.destroy(), answerTimeoutMs).unref();
  response.once('close', () => clearTimeout(cut));
}

const RAW_REFUSALS: { readonly [code: string]: readonly [status: string, code: string, message: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'REQUEST_TIMEOUT',
    'The request took too long to arrive.',
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'HEADERS_TOO_LARGE',
    'The headers are too large.',
  ],
};

/** What is not HTTP has no request to answer, so the refusal is written as it is. */
function refuseRaw(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code, message] = RAW_REFUSALS[error.code ?? ''] ?? [
    '400 Bad Request',
    'BAD_REQUEST',
    'The request is not HTTP.',
  ];
  const body = JSON.stringify({ errors: [{ message, extensions: { code, requestId: randomUUID() } }] });
  const headers = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\nConnection: close\r\n\r\n${body}`);
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
