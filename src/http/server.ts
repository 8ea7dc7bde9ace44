import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptPending } from './accept-pending.ts';
import { Admission } from './admission.ts';
import { type Connection, Connections } from './connections.ts';
import { HttpError, rawErrorResponse, varyFor } from './errors.ts';
import { createHandler, type HandlerOptions } from './handler.ts';
import { createProbes, type Readiness } from './pages/probes.ts';
import { StartQueue } from './start-queue.ts';
import { type TransferLimits, Transfers } from './transfers.ts';

/** How long idle keep-alive connections stay open during drain, after the latest request on any of them. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 100;
/**
 * Longer than the 60 s of common proxies, so that the proxy closes idle connections first: the side that closes first
 * may do so while a request is on its way.
 */
const KEEP_ALIVE_MS = 65_000;

/** Where a server listens: an IP address, and a port. */
export interface Address {
  readonly address: string;
  readonly port: number;
}

export interface HttpServer {
  listen(port: number, host: string): Promise<Address>;
  /** Takes a connection that another process has accepted. */
  accept(socket: Socket): void;
  /** From now on `/ready` fails, so that no more clients are sent here. */
  leaveRotation(): void;
  readiness(): Readiness;
  /** For metrics. */
  stats(): { readonly connections: number; readonly operationsInFlight: number };
  /**
   * Leaves the rotation; until clients know (`delayMs`), requests are served as before. Then it stops accepting connections, waits for requests in flight, and destroys the remaining connections
   * after `graceMs`.
   */
  drain(graceMs: number, delayMs?: number): Promise<void>;
}

/** What requests are handled with; the server adds its own limits. */
export interface ServedOptions extends Omit<HandlerOptions, 'admission' | 'uploads' | 'downloads'> {
  /** Maximum number of concurrent operations. */
  readonly maxOperations: number;
}

export interface HttpServerOptions {
  /** Timeouts for receiving the headers and the whole request; slower clients are disconnected. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** Limits for request bodies being received and responses being sent. */
  readonly uploads: TransferLimits;
  readonly downloads: TransferLimits;
  readonly maxConnections?: number;
}

export interface ListenOptions extends HttpServerOptions {
  readonly port: number;
  readonly host: string;
}

export async function listen(
  served: ServedOptions,
  { port, host, ...options }: ListenOptions,
): Promise<HttpServer & Address> {
  const server = createHttpServer(served, options);
  return { ...server, ...(await server.listen(port, host)) };
}

export function createHttpServer(handlerOptions: ServedOptions, options: HttpServerOptions): HttpServer {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 20_000, maxConnections = 5_000 } = options;
  let isDraining = false;
  const { startQueue = new StartQueue() } = handlerOptions;
  const admission = new Admission(handlerOptions.maxOperations);
  const readiness = () => {
    if (isDraining) return 'stopping';
    return admission.isStuck ? 'overloaded' : 'ready';
  };
  const handler = createHandler({
    ...handlerOptions,
    routes: [createProbes(readiness), ...handlerOptions.routes],
    admission,
    startQueue,
    uploads: new Transfers(options.uploads),
    downloads: new Transfers(options.downloads),
  });
  const connections = new Connections(maxConnections, handler);
  const receive: RequestListener = (request, response) =>
    connections.of(request.socket)?.receive(request, response);
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
      // The handler rejects a missing host with the same error as an invalid one.
      requireHostHeader: false,
    },
    receive,
  );
  // By default Node would respond 417 without a body, and send 100 Continue for bodies that will be rejected.
  server.on('checkExpectation', receive);
  server.on('checkContinue', receive);
  server.on('connection', (socket) => {
    connections.open(socket);
    // Node accepts one connection per event loop turn, and more may be pending behind this one.
    startQueue.limitTurnToOne();
  });
  const vary = varyFor(handlerOptions.corsOrigins);
  const sendRawError = (socket: Socket, error: HttpError) =>
    writeRawError(socket, connections.of(socket), rawErrorResponse(error, randomUUID(), vary));
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else sendRawError(socket, RAW_ERRORS[error.code ?? ''] ?? NOT_HTTP);
  });
  // Node passes the raw socket of a CONNECT request to this listener; without one it closes the connection.
  server.on('connect', (_request, socket: Socket) => {
    sendRawError(socket.resume(), NO_TUNNELS);
  });

  const leaveRotation = () => {
    isDraining = true;
  };

  return {
    async listen(port, host) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, host, resolve);
      });
      return addressOf(server.address());
    },
    accept(socket) {
      // As Node's own server has it: a client may close its end once it has sent its request.
      socket.allowHalfOpen = true;
      server.emit('connection', socket);
      socket.resume();
    },
    leaveRotation,
    readiness,
    stats: () => ({ connections: connections.size, operationsInFlight: admission.inFlight }),
    async drain(graceMs, delayMs = 0) {
      leaveRotation();
      await sleep(delayMs);
      await acceptPending(connections);
      // Not `http.Server.close`, which also destroys idle connections: a request may be on its way on one, and its
      // client could not safely retry it. A refused connection is safe to retry.
      Server.prototype.close.call(server);
      connections.closeAfterResponses();
      const graceIsOver = setTimeout(() => connections.destroyAll(), graceMs);
      const sweep = setInterval(() => void connections.closeIdle(IDLE_GRACE_MS), SWEEP_MS);
      await connections.waitUntilEmpty();
      clearTimeout(graceIsOver);
      clearInterval(sweep);
      server.close();
    },
  };
}

const RAW_ERRORS: { readonly [code: string]: HttpError } = {
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new HttpError(431, 'HEADERS_TOO_LARGE', 'The headers are too large.'),
};
const NOT_HTTP = new HttpError(400, 'BAD_REQUEST', 'The request is not HTTP.');
const NO_TUNNELS = new HttpError(405, 'METHOD_NOT_ALLOWED', 'Use POST, or GET for a query.', {
  Allow: 'GET, POST',
});

/** There is no `ServerResponse` for malformed input, so the error is written to the socket directly. */
function writeRawError(socket: Socket, connection: Connection | undefined, rawResponse: string): void {
  // The malformed input follows a request still in flight: an error written now would be taken for its response.
  if (connection?.hasCompleteRequest) connection.drain();
  else socket.end(rawResponse);
}

export function addressOf(address: AddressInfo | string | null): Address {
  return typeof address === 'object' && address !== null ? address : { address: '', port: 0 };
}
