import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { badRequest } from '../http/errors.ts';
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
export function createNodeServer(handle: RequestListener, stalledMs: number, limits?: ServerOptions): Server {
  const server = createServer({ ...LIMITS, ...limits }, handle);
  server.maxHeadersCount = 100;
  server.maxConnections = 2_000;
  server.timeout = stalledMs;
  return server;
}

const MALFORMED_HOST = badRequest('The header `Host` is malformed.');

/** What Node lets through, and nobody sends who means well. */
export function checkRequest(req: IncomingMessage): void {
  const { host = 'localhost' } = req.headers;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) throw MALFORMED_HOST;
  // Proxies are sent whole addresses, and some pass them on.
  req.url = req.url?.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

/** Whether a body has not arrived yet that is too long to read to its end, or has no length. */
export function hasLongBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}
