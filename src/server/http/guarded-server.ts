import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { METHOD_NOT_ALLOWED, RequestError } from '../../http/errors.ts';
import { memoryLimits } from '../../limits/memory-limits.ts';
import { maxOpenFiles } from '../../limits/open-files.ts';
import { SharedBudget } from '../../limits/shared-budget.ts';
import type { Turns } from '../../limits/start-queue.ts';
import { Connection, type RequestHandler } from './connection.ts';
import { listenOn, stopListening } from './listen.ts';
import { SafeRequest, SafeResponse } from './messages.ts';
import { rawErrorResponse } from './send.ts';

/** Open connections at most, however much memory there is. A quarter of the files is left for calls and the rest. */
const MAX_CONNECTIONS = Math.min(5_000, Math.floor(maxOpenFiles() * 0.75));
/** How long idle keep-alive connections stay open during drain, after the latest request on any of them. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 100;
/** A tenth of the most that can be open, so that all are looked at within a second, and few are closed at once. */
const SWEPT_CONNECTIONS = 500;
/** Longer than the 60 s of common proxies: whichever side closes first may do so while a request is on its way. */
const KEEP_ALIVE_MS = 65_000;

export interface GuardedServerOptions {
  readonly handle: RequestHandler;
  /** Told of a fault in the gateway, or in Node, that belongs to one connection: it has been closed. */
  readonly onFault: (error: unknown) => void;
  /** What refusals wait for, and what is told of new connections. Without it, nothing waits. */
  readonly startQueue?: Turns;
  /** Timeouts for receiving the headers and the whole request; slower clients are disconnected. */
  readonly headersTimeoutMs?: number | undefined;
  readonly requestTimeoutMs?: number | undefined;
  readonly maxConnections?: number | undefined;
  /** Memory of all connections with their requests; without the bodies. */
  readonly connectionBytes?: number | undefined;
}

/** A server of HTTP whose connections cannot harm each other, whatever their clients send. */
export function createGuardedServer(options: GuardedServerOptions) {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 20_000, handle, onFault, startQueue } = options;
  const { maxConnections = MAX_CONNECTIONS, connectionBytes = memoryLimits().connectionBytes } = options;
  const open = new Set<Connection>();
  // Over a limit, a connection of the address that holds most is closed, the one whose last progress is the longest
  // ago. Node's own `maxConnections` would drop the new one instead, so that one client could lock out all others.
  const slots = new SharedBudget(maxConnections, { evicts: 'stalest' });
  const memory = new SharedBudget(connectionBytes, { evicts: 'stalest' });
  let isClosing = false;
  /** When the latest request was received, or closing began. */
  let activeAt = 0;
  let onEmpty = () => {};

  const handleOnConnection: RequestHandler = (request, response, connection) => {
    activeAt = performance.now();
    if (isClosing) connection.closeAfterResponse();
    return handle(request, response, connection);
  };
  /** There is no `ServerResponse` for what is not a request, so the error is written to the socket directly. */
  const refuse = (socket: Socket, error: RequestError) => {
    void Connection.of(socket)?.refuse(() => rawErrorResponse(error, randomUUID()));
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
    const connection = new Connection(socket, {
      slots,
      memory,
      startQueue,
      handle: handleOnConnection,
      onFault,
    });
    open.add(connection);
    socket.once('close', () => {
      open.delete(connection);
      if (open.size === 0) onEmpty();
    });
    startQueue?.onConnection();
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, RAW_ERRORS[error.code ?? ''] ?? NOT_HTTP);
  });
  // Node hands over the sockets of early requests (see `SafeRequest`) and of CONNECT.
  server.on('upgrade', (_request, socket: Socket) => Connection.of(socket)?.refuseInput());
  server.on('connect', (_request, socket: Socket) => refuse(socket, METHOD_NOT_ALLOWED));

  let unswept = open.values();
  /** Counts headers that are arriving. */
  const counting = setInterval(() => {
    for (let swept = 0; swept < SWEPT_CONNECTIONS; swept += 1) {
      const { value: connection } = unswept.next();
      if (connection === undefined) {
        unswept = open.values();
        return;
      }
      connection.countHead();
    }
  }, SWEEP_MS).unref();

  /**
   * Closes idle connections once no request has come on any for a while. Until then each may be the next: a proxy sends
   * its requests on whichever are left, and one that is on its way to a connection that closes is lost. Each response
   * closes its connection, so that requests come to an end.
   */
  async function closeIdle(): Promise<void> {
    const idleSince = performance.now() - IDLE_GRACE_MS;
    if (activeAt > idleSince) return;
    const idle = [...open].filter((connection) => connection.isIdleSince(idleSince));
    // A request may be waiting in the kernel: Node reads what has arrived between one immediate and the next.
    await immediate();
    await immediate();
    for (const connection of idle) {
      if (connection.isIdleSince(idleSince)) connection.socket.destroy();
    }
  }

  return {
    listen: (port: number, host: string) => listenOn(server, port, host),
    /** Takes a connection that another process has accepted. */
    accept(socket: Socket): void {
      // As for the sockets that Node's own server accepts, so that both close alike.
      socket.allowHalfOpen = true;
      server.emit('connection', socket);
      socket.resume();
    },
    stats: () => ({ connections: open.size, connectionBytes: memory.held }),
    /** Stops accepting connections, waits for requests in flight, and destroys what is left after `graceMs`. */
    async drain(graceMs: number): Promise<void> {
      await stopListening(server);
      isClosing = true;
      activeAt = performance.now();
      for (const connection of open) connection.closeAfterResponse();
      const graceIsOver = setTimeout(() => {
        for (const connection of open) connection.cut('shutdown');
      }, graceMs);
      const sweep = setInterval(() => void closeIdle(), SWEEP_MS);
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
        if (open.size === 0) resolve();
      });
      clearTimeout(graceIsOver);
      clearInterval(sweep);
      clearInterval(counting);
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
