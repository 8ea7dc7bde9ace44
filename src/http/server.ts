import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { type Connection, Connections } from './connections.ts';
import { HttpError, rawErrorResponse, varyFor } from './errors.ts';
import { createHandler, type HandlerOptions } from './handler.ts';
import { StartQueue } from './start-queue.ts';
import { type TransferLimits, Transfers } from './transfers.ts';

/** For how long a kept-alive connection without a request stays open while the server stops. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 100;
/** For how long connections that keep coming are still accepted then. */
const ACCEPT_MS = 200;
/** Longer than the 60 s of common proxies: who closes an idle connection first may do so under a request. */
const KEEP_ALIVE_MS = 65_000;

export interface HttpServer {
  readonly port: number;
  /** Refuses new connections, lets what is under way finish, and cuts what is left after the grace period. */
  drain(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** For the headers of a request, and for the whole of it: who sends slowly is cut. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** Of bodies that arrive, and of answers that are sent. */
  readonly uploads: TransferLimits;
  readonly downloads: TransferLimits;
  readonly maxConnections?: number;
}

export async function listen(
  handlerOptions: Omit<HandlerOptions, 'isReady' | 'uploads' | 'downloads'>,
  options: ListenOptions,
): Promise<HttpServer> {
  const {
    port,
    host,
    headersTimeoutMs = 10_000,
    requestTimeoutMs = 20_000,
    maxConnections = 5_000,
  } = options;
  let isDraining = false;
  const { startQueue = new StartQueue() } = handlerOptions;
  const handler = createHandler({
    ...handlerOptions,
    startQueue,
    isReady: () => !isDraining,
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
      // The handler says what is wrong, in the same words as for any other host.
      requireHostHeader: false,
    },
    receive,
  );
  // Node itself would answer 417 without a word, and ask for a body that is going to be refused.
  server.on('checkExpectation', receive);
  server.on('checkContinue', receive);
  server.on('connection', (socket) => {
    connections.open(socket);
    // Node accepts one connection in each turn of the event loop, and behind this one more may wait.
    startQueue.limitTurnToOne();
  });
  const vary = varyFor(handlerOptions.corsOrigins);
  const sendRawError = (socket: Socket, error: HttpError) =>
    writeRawError(socket, connections.of(socket), rawErrorResponse(error, randomUUID(), vary));
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else sendRawError(socket, RAW_ERRORS[error.code ?? ''] ?? NOT_HTTP);
  });
  // Node hands the connection over, as to a tunnel, and closes it where nobody takes it.
  server.on('connect', (_request, socket: Socket) => {
    sendRawError(socket.resume(), NO_TUNNELS);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });

  return {
    port: portOf(server.address()),
    async drain(graceMs) {
      isDraining = true;
      await acceptPending(connections);
      // Not by HTTP's own `close`, which also cuts idle connections: on those a request may be on its way, which its
      // client could not send again. A refused connection is safe to try again.
      Server.prototype.close.call(server);
      connections.closeAfterResponses();
      const graceIsOver = setTimeout(() => connections.destroyAll(), graceMs);
      const sweep = setInterval(() => connections.closeIdle(IDLE_GRACE_MS), SWEEP_MS);
      await connections.waitUntilEmpty();
      clearTimeout(graceIsOver);
      clearInterval(sweep);
      server.close();
    },
  };
}

/**
 * Connections that the system has established already are accepted first: closing the listener would reset them. Node
 * accepts one in each turn of the event loop.
 */
async function acceptPending(connections: Connections): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let before: number;
  do {
    before = connections.opened;
    await immediate();
    await immediate();
  } while (connections.opened > before && performance.now() < until);
}

const RAW_ERRORS: { readonly [code: string]: HttpError } = {
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new HttpError(431, 'HEADERS_TOO_LARGE', 'The headers are too large.'),
};
const NOT_HTTP = new HttpError(400, 'BAD_REQUEST', 'The request is not HTTP.');
const NO_TUNNELS = new HttpError(405, 'METHOD_NOT_ALLOWED', 'Use POST, or GET for a query.', {
  Allow: 'GET, POST',
});

/** What is not HTTP has no request to answer, so the refusal is written to the socket itself. */
function writeRawError(socket: Socket, connection: Connection | undefined, rawResponse: string): void {
  // It came behind a request that is being served: written now, the refusal would pass for the answer to that one.
  if (connection?.hasCompleteRequest) connection.drain();
  else socket.end(rawResponse);
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
