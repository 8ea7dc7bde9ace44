import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http';
import { badRequest, errorAnswer, RequestError } from '../http/errors.ts';
import { MAX_BODY_BYTES } from '../request/body.ts';

const MAX_HEADERS = 100;

const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the 60 s of common proxies: whichever side closes first may do so while a request is on its way.
  keepAliveTimeout: 65_000,
};

/** Node's server, with limits of time and number. Whoever calls it has to listen for `timeout` and `clientError`. */
export function createNodeServer(handle: RequestListener, stalledMs: number, limits?: ServerOptions): Server {
  const server = createServer({ ...LIMITS, ...limits }, handle);
  // Node drops those beyond its limit without a word.
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.maxConnections = 2_000;
  server.timeout = stalledMs;
  server.on('checkContinue', (req, res) => {
    if (!(Number(req.headers['content-length']) > MAX_BODY_BYTES)) res.writeContinue();
    server.emit('request', req, res);
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  return server;
}

/** What Node lets through, and nobody sends who means well. */
export function checkRequest(req: IncomingMessage): void {
  if (req.rawHeaders.length > 2 * MAX_HEADERS) throw TOO_MANY_HEADERS;
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

const TOO_MANY_HEADERS = new RequestError(431, 'HEADERS_TOO_LARGE', `Send at most ${MAX_HEADERS} headers.`);
const MALFORMED_HOST = badRequest('The header `Host` is malformed.');
const NOT_HTTP = badRequest('The request is not HTTP.');
const RAW_ERRORS: { readonly [code: string]: RequestError } = {
  ERR_HTTP_REQUEST_TIMEOUT: new RequestError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new RequestError(431, 'HEADERS_TOO_LARGE', 'The headers are too large.'),
};

/** What is answered on a connection on which there is no request. */
export function rawAnswer({ code = '' }: Error & { readonly code?: string }): string {
  const { status, headers, body } = errorAnswer(RAW_ERRORS[code] ?? NOT_HTTP, randomUUID());
  const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
