import { createServer, type IncomingMessage, type RequestListener, type ServerOptions } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { badRequest, RequestError, UNEXPECTED } from '../http/errors.ts';
import { memoizeLast } from '../http/negotiation.ts';
import type { Route } from '../pages/route.ts';
import { MAX_BODY_BYTES } from '../request/body.ts';

const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the 60 s of common proxies: whichever side closes first may do so while a request is on its way.
  keepAliveTimeout: 65_000,
};

/**
 * Node's server, with limits of time and number. What is no request, Node refuses by itself. Whoever calls it has to
 * listen for `timeout`.
 */
export function createNodeServer(handle: RequestListener, stalledMs: number, limits?: ServerOptions) {
  const server = createServer({ ...LIMITS, ...limits }, handle);
  server.maxHeadersCount = 100;
  server.maxConnections = 2_000;
  server.timeout = stalledMs;
  return server;
}

const MALFORMED_HOST = badRequest('The header `Host` is malformed.');

/** Nearly all requests name the same host. */
const isHost = memoizeLast(
  (host = 'localhost') => /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`),
);

/** What Node lets through, and nobody sends who means well. */
export function checkRequest(req: IncomingMessage): void {
  if (!isHost(req.headers.host)) throw MALFORMED_HOST;
  // Proxies are sent whole addresses, and some pass them on.
  req.url = req.url?.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

/** Whether a body has not arrived yet that is too long to read to its end, or has no length. */
export function hasLongBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}

export async function listenOn(server: Server, port: number, host: string): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
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
  let hasAccepted = true;
  server.on('connection', () => {
    hasAccepted = true;
  });
  while (hasAccepted && performance.now() < until) {
    hasAccepted = false;
    await immediate();
    await immediate();
  }
  // Not `http.Server.close`, which also destroys idle connections: a request may be on its way on one, and its client
  // could not safely retry it. A refused connection is safe to retry.
  Server.prototype.close.call(server);
}

const NOTHING_HERE = 'This port is for operators: /health, /ready and, unless METRICS=off, /metrics.\n';

/** A port for operators alone: metrics and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(routes: readonly Route[], port: number, host: string) {
  const server = createServer(async (req, res) => {
    try {
      const page = await routes.map((route) => route(req)).find((answer) => answer !== undefined);
      res.writeHead(page?.status ?? 404, page?.headers).end(page ? page.body : NOTHING_HERE);
    } catch (error) {
      const { status, message, headers } = error instanceof RequestError ? error : UNEXPECTED;
      res.writeHead(status, headers).end(`${message}\n`);
    }
  });
  const { port: listening } = await listenOn(server, port, host);
  return { port: listening, close: () => void server.close().closeAllConnections() };
}
