import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerOptions, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { badRequest, NO_STORE, RequestError, UNEXPECTED } from '../http/errors.ts';
import { JSON_TYPE } from '../http/negotiation.ts';
import { memoizeLast } from '../memoize.ts';
import type { Route } from '../pages/route.ts';
import { MAX_BODY_BYTES } from '../request/params.ts';

/** Of time; those of number are set beside. */
export const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the 60 s of common proxies: whichever side closes first may do so while a request is on its way.
  keepAliveTimeout: 65_000,
};

/** Nearly all requests name the same host. */
const isHost = memoizeLast(
  (host = 'localhost') => /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`),
);

/** What Node lets through, and nobody sends who means well. */
export function checkRequest(req: IncomingMessage): void {
  if (!isHost(req.headers.host)) throw badRequest('The header `Host` is malformed.');
  // Proxies are sent whole addresses, and some pass them on.
  req.url = req.url?.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

const RAW_ERRORS: { readonly [code: string]: RequestError } = {
  ERR_HTTP_REQUEST_TIMEOUT: new RequestError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new RequestError(431, 'HEADERS_TOO_LARGE', 'The headers are too large.'),
};

/** The answer to what Node does not take for a request, as it is sent. */
export function formatRawError(fault: Error & { readonly code?: string }): string {
  const { status, code, message } = RAW_ERRORS[fault.code ?? ''] ?? badRequest('The request is not HTTP.');
  const requestId = randomUUID();
  const body = JSON.stringify({ errors: [{ message, extensions: { code, requestId } }] });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_TYPE}; charset=utf-8`,
    `content-length: ${body.length}`,
    `cache-control: ${NO_STORE}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** How much of a body is read at most after its response. */
const MAX_DISCARDED_BYTES = 32 * MAX_BODY_BYTES;

/**
 * Ends a connection whose client may still be sending, and discards what it sends until it closes the connection (RFC
 * 9112, section 9.6). Closing it with unread data would reset it, and the client could lose the response.
 */
export function endAndDiscard(socket: Socket, timeoutMs: number): void {
  const limit = socket.bytesRead + MAX_DISCARDED_BYTES;
  socket.end();
  // Node's parser may have paused the socket: only while it listens can the socket be resumed.
  socket.resume();
  process.nextTick(() => {
    // Without the parser, since a pipelined request would get no response.
    socket.removeAllListeners('data').on('data', () => {
      if (socket.bytesRead > limit) socket.destroy();
    });
    // It may be in the middle of a chunk, and pause the socket again.
    socket.on('pause', () => socket.resume());
  });
  const timer = setTimeout(() => socket.destroy(), timeoutMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

export async function listenOn(server: Server, port: number, host: string): Promise<AddressInfo> {
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('It listens on no port.');
  return address;
}

/** How long new connections are still accepted when drain starts. */
const ACCEPT_MS = 2_000;

/**
 * Stops listening, once the connections are accepted that the kernel has already established, which closing the listener
 * would reset: Node accepts one in each turn of the event loop.
 */
export async function stopListening(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let turns = 0;
  server.on('connection', () => {
    turns = 0;
  });
  for (; turns < 2 && performance.now() < until; turns += 1) await immediate();
  // Not `http.Server.close`, which also destroys idle connections: a request may be on its way on one, and its client
  // could not safely retry it. A refused connection is safe to retry.
  Server.prototype.close.call(server);
}

const NOTHING_HERE = 'This port is for operators: /health, /ready and, unless METRICS=off, /metrics.\n';

/** A port for operators alone, if they have one: metrics and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(routes: readonly Route[], { adminPort, host }: Config) {
  if (adminPort === undefined) return undefined;
  const server = createServer(async (req, res) => {
    try {
      const page = await routes.map((route) => route(req)).find((answer) => answer !== undefined);
      res.writeHead(page?.status ?? 404, page?.headers).end(page ? page.body : NOTHING_HERE);
    } catch (error) {
      const { status, message, headers } = error instanceof RequestError ? error : UNEXPECTED;
      res.writeHead(status, headers).end(`${message}\n`);
    }
  });
  const { port } = await listenOn(server, adminPort, host);
  return { port, close: () => void server.close().closeAllConnections() };
}
