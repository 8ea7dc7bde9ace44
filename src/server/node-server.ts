import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { badRequest, NO_STORE, RequestError, UNEXPECTED } from '../http/errors.ts';
import { JSON_TYPE } from '../http/negotiation.ts';
import { memoizeLast } from '../memoize.ts';
import type { PageResponse, Route } from '../pages/route.ts';
import { endResponse } from './send.ts';

/** These limit time; `createHttpServer` limits counts. */
export const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the 60 s of common proxies: closing a connection could lose a request that is on its way.
  keepAliveTimeout: 65_000,
};

/** Remembers the last host, since nearly all requests have the same one. */
const isHost = memoizeLast(
  (host = 'localhost') => /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`),
);

/** Checks what Node does not: Yoga would throw an unexpected error. */
export function checkRequest(req: IncomingMessage): void {
  if (!isHost(req.headers.host)) throw badRequest('The header `Host` is malformed.');
  // Clients send complete URLs to proxies, and some proxies pass them on.
  req.url = req.url?.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

export const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const RAW_ERRORS: { readonly [code: string]: RequestError } = {
  [TIMEOUT]: new RequestError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new RequestError(431, 'HEADERS_TOO_LARGE', 'The headers are too large.'),
};

/** Formats the response to bytes that Node could not parse as a request. */
export function formatRawError(error: Error & { readonly code?: string }): string {
  const { status, code, message } = RAW_ERRORS[error.code ?? ''] ?? badRequest('The request is not HTTP.');
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

export async function listenOn(server: Server, port: number, host: string): Promise<AddressInfo> {
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('It listens on no port.');
  return address;
}

/** How long new connections are accepted when drain starts. */
const ACCEPT_MS = 2_000;

/**
 * Stops listening after accepting the connections that the kernel has already established, which closing would reset.
 * Node accepts one in each turn of the event loop.
 */
export async function stopListening(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let turns = 0;
  server.on('connection', () => {
    turns = 0;
  });
  for (; turns < 2 && performance.now() < until; turns += 1) await immediate();
  // `http.Server.close` would also destroy idle connections, on which a request may be on its way. Its client could not
  // safely retry it, unlike a refused connection.
  Server.prototype.close.call(server);
}

/** Returns the response of a page, or undefined if the request is for none. */
export function findPage(routes: readonly Route[], req: IncomingMessage) {
  for (const route of routes) {
    const page = route(req);
    if (page) return page;
  }
  return undefined;
}

/** Sends a page. All responses share its bytes, so they do not count as memory in use. */
export function sendPage(res: ServerResponse, { status, headers, body }: PageResponse): void {
  endResponse(res.writeHead(status, { ...headers, ...(body && { 'Content-Length': body.length }) }), body);
}

const NOT_FOUND = Buffer.from(
  'This port is for operators: /health, /ready and, unless METRICS=off, /metrics.\n',
);

/** Serves metrics and probes on their own port, if configured, until the gateway has stopped. */
export async function listenAdmin(routes: readonly Route[], { adminPort, host }: Config) {
  if (adminPort === undefined) return undefined;
  const server = createServer(async (req, res) => {
    try {
      sendPage(res, (await findPage(routes, req)) ?? { status: 404, headers: {}, body: NOT_FOUND });
    } catch (error) {
      const { status, message, headers } = error instanceof RequestError ? error : UNEXPECTED;
      sendPage(res, { status, headers, body: Buffer.from(`${message}\n`) });
    }
  });
  const { port } = await listenOn(server, adminPort, host);
  return { port, close: () => void server.close().closeAllConnections() };
}
