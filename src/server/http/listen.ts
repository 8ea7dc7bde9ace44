import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setImmediate as immediate } from 'node:timers/promises';
import { RequestError } from '../../http/errors.ts';
import { Connection } from './connection.ts';
import { Connections, type ConnectionsOptions } from './connections.ts';
import { SafeRequest, SafeResponse } from './messages.ts';
import { rawErrorResponse } from './send.ts';

/** How long idle keep-alive connections stay open during drain, after the latest request on any of them. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 100;
/**
 * Longer than the 60 s of common proxies, so that the proxy closes idle connections first: the side that closes first
 * may do so while a request is on its way.
 */
const KEEP_ALIVE_MS = 65_000;

/** Where a server listens: an IP address, and a port. */
export interface ListenAddress {
  readonly address: string;
  readonly port: number;
}

export interface GuardedServerOptions extends ConnectionsOptions {
  readonly onConnection?: () => void;
  /** Timeouts for receiving the headers and the whole request; slower clients are disconnected. */
  readonly headersTimeoutMs?: number | undefined;
  readonly requestTimeoutMs?: number | undefined;
}

/** A server of HTTP whose connections cannot harm each other, whatever their clients send. */
export function createGuardedServer(options: GuardedServerOptions) {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 20_000, onConnection } = options;
  const connections = new Connections(options);
  /** There is no `ServerResponse` for what is not a request, so the error is written to the socket directly. */
  const refuse = (socket: Socket, error: RequestError) => {
    Connection.of(socket)?.refuse(rawErrorResponse(error, randomUUID()));
  };
  const receive: RequestListener = (request, response) => {
    if (request.rawHeaders.length > 2 * MAX_HEADERS) refuse(request.socket, TOO_MANY_HEADERS);
    else Connection.of(request.socket)?.receive(request, response);
  };
  const server = createServer(
    {
      IncomingMessage: SafeRequest,
      ServerResponse: SafeResponse,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
      // The handler rejects a missing host with the same error as an invalid one.
      requireHostHeader: false,
    },
    receive,
  );
  // More are not even kept: each takes some 500 bytes, whatever its length.
  server.maxHeadersCount = MAX_HEADERS + 1;
  // By default Node would respond 417 without a body, and send 100 Continue for bodies that will be rejected.
  server.on('checkExpectation', receive);
  server.on('checkContinue', receive);
  server.on('connection', (socket) => {
    connections.open(socket);
    onConnection?.();
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, RAW_ERRORS[error.code ?? ''] ?? NOT_HTTP);
  });
  // Node hands over the sockets of early requests (see `SafeRequest`) and of CONNECT.
  server.on('upgrade', (_request, socket: Socket) => Connection.of(socket)?.refuseInput());
  server.on('connect', (_request, socket: Socket) => refuse(socket, NO_TUNNELS));

  return {
    listen: (port: number, host: string) => listenOn(server, port, host),
    /** Takes a connection that another process has accepted. */
    accept(socket: Socket): void {
      // As for the sockets that Node's own server accepts, so that both close alike.
      socket.allowHalfOpen = true;
      server.emit('connection', socket);
      socket.resume();
    },
    stats: () => connections.stats(),
    /**
     * Stops accepting connections, waits for requests in flight, and destroys the remaining connections after `graceMs`.
     */
    async drain(graceMs: number): Promise<void> {
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

/** As many as Envoy and Apache let through. */
const MAX_HEADERS = 100;
const TOO_MANY_HEADERS = new RequestError(431, 'HEADERS_TOO_LARGE', `Send at most ${MAX_HEADERS} headers.`);

const RAW_ERRORS: { readonly [code: string]: RequestError } = {
  ERR_HTTP_REQUEST_TIMEOUT: new RequestError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new RequestError(431, 'HEADERS_TOO_LARGE', 'The headers are too large.'),
};
const NOT_HTTP = new RequestError(400, 'BAD_REQUEST', 'The request is not HTTP.');
const NO_TUNNELS = new RequestError(405, 'METHOD_NOT_ALLOWED', 'Use POST, or GET for a query.', {
  allow: 'GET, POST',
});

export async function listenOn(server: Server, port: number, host: string): Promise<ListenAddress> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address : { address: '', port: 0 };
}

/** How long new connections are still accepted when drain starts. */
const ACCEPT_MS = 2_000;
/** The event loop turn after which the listener may close; a connection established during that turn is reset. */
const SHORT_TURN_MS = 0.5;

/**
 * Accepts connections that the kernel has already established: closing the listener would reset them. Node accepts one
 * per event loop turn. Those that come after it in the same turn are reset, so the last turn should be a short one.
 */
export async function acceptPending(connections: { readonly opened: number }): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let opened: number;
  let turnStart: number;
  do {
    opened = connections.opened;
    await immediate();
    turnStart = performance.now();
    await immediate();
  } while (
    (connections.opened > opened || performance.now() - turnStart > SHORT_TURN_MS) &&
    performance.now() < until
  );
}

/** What `0.0.0.0` and `::` listen on: all addresses of the machine, of the one family or of both. */
const WILDCARDS: { readonly [host: string]: readonly string[] } = {
  '0.0.0.0': ['IPv4'],
  '::': ['IPv4', 'IPv6'],
};

/**
 * Where a server that listens on an address can be opened, first from this machine and then from others. A wildcard is
 * an address to listen on, and none to open.
 */
export function hostsToOpen(
  address: string,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): [string, ...string[]] {
  const families = WILDCARDS[address];
  if (families === undefined) return [address === '127.0.0.1' ? 'localhost' : inUrl(address)];
  const others = Object.values(interfaces)
    .flatMap((found = []) => found)
    // One of a link would need the name of the interface beside it, which browsers do not take.
    .filter(
      ({ family, internal, address }) => families.includes(family) && !internal && !/^fe80:/i.test(address),
    )
    .map(({ address }) => inUrl(address));
  return ['localhost', ...others];
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
