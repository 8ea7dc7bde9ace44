import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../gateway/gateway.ts';
import type { Compression } from '../http/compression.ts';
import { overloaded, UNEXPECTED } from '../http/errors.ts';
import type { Route } from '../pages/route.ts';
import { RequestContext } from '../request/context.ts';
import { Exchange } from '../request/exchange.ts';
import { errorResponse } from '../response/json-response.ts';
import { logUnexpectedError } from '../response/public-errors.ts';
import { getSafeDetails } from '../telemetry/log.ts';
import { Client } from './client.ts';
import {
  checkRequest,
  findPage,
  formatRawError,
  LIMITS,
  listenOn,
  sendPage,
  stopListening,
  TIMEOUT,
} from './node-server.ts';
import { sendResponse } from './send.ts';

/** How long idle connections stay open during drain after the last request on any connection. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 10;
/** Requests that wait for a slot are rejected this long before the grace period ends. */
const LAST_WAIT_MS = 500;

export interface HttpServerOptions {
  readonly compression: Compression;
  readonly routes?: readonly Route[];
  /** How long a client may pause reading a response. */
  readonly stalledMs?: number;
  readonly limits?: ServerOptions;
}

interface Connection {
  readonly socket: Socket;
  /** The clients whose responses have not been sent, in the order of their requests. */
  readonly clients: Set<Client>;
  /** How many bytes had been read when the last response ended. */
  bytesRead: number;
}

/** Creates the gateway's own server, which passes requests to Yoga and sends its responses. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions) {
  const { compression, routes = [], stalledMs = 30_000 } = options;
  // Yoga binds `handleNodeRequestAndResponse` at each access.
  const { handleNodeRequestAndResponse, fetchAPI, state } = gateway;
  const { endpoint, memoryBudget, log, telemetry } = state;
  const connections = new Map<Duplex, Connection>();
  const getClients = (socket: Duplex) => connections.get(socket)?.clients ?? new Set();
  let isClosing = false;
  /** When the last request was received, or closing began. */
  let activeAt = 0;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { headers, socket } = req;
    // An earlier response will close this connection, so a pipelined request would get no response.
    if (!socket.writable || (isClosing && getClients(socket).size > 0)) return;
    activeAt = performance.now();
    // After a request to switch protocols, Node reads nothing more, even if nothing was switched.
    if (isClosing || headers.upgrade !== undefined) res.setHeader('Connection', 'close');
    const client = new Client(res, state);
    const { observation } = client;
    const clients = getClients(socket);
    clients.add(client);
    res.on('error', () => {});
    res.on('close', () => close(client));
    let response: Response | undefined;
    try {
      checkRequest(req);
      const isOperation = req.method === 'POST' && client.path === endpoint;
      const page = isOperation ? undefined : await findPage(routes, req);
      if (page) {
        res.setHeader('X-Request-Id', observation.logEntry.requestId);
        sendPage(res, page);
      } else {
        const context = new RequestContext(req, client);
        response = await handleNodeRequestAndResponse(req, res, context);
        if (clients.has(client))
          await sendResponse(res, response, compression, (bytes) => hold(bytes, client, context.exchange));
      }
    } catch (error) {
      await fail(error, client, response?.headers);
    }
    const end = () =>
      telemetry.end(observation, req, res.headersSent ? res.statusCode : undefined, client.abortCode);
    if (clients.has(client)) client.onClose.push(end);
    else end();
  }

  /** Reserves memory for a response. That of a mutation is always sent: its client must learn the outcome. */
  function hold(bytes: number, client: Client, { admission, operations }: Exchange): void {
    const { limitKey } = admission;
    if (operations.some(({ isWriting }) => isWriting)) memoryBudget.forceAcquire(limitKey, bytes);
    else if (!memoryBudget.tryAcquire(limitKey, bytes)) {
      telemetry.onRejected('operation_memory');
      throw overloaded('Too many responses have not been read.');
    }
    client.onClose.push(() => memoryBudget.release(limitKey, bytes));
  }

  /** `extraHeaders`: those of a response that could not be sent; a page of another origin needs those of CORS. */
  async function fail(error: unknown, client: Client, extraHeaders = new Headers()): Promise<void> {
    const { res, observation } = client;
    // The client has disconnected.
    if (!res.req.socket.writable) return;
    // Pages have no exchange. In a new one, errors are JSON.
    const exchange = new Exchange(state, client);
    if (!res.headersSent) {
      const response = errorResponse(error, exchange, fetchAPI);
      for (const [name, value] of extraHeaders)
        if (!name.startsWith('content-')) response.headers.set(name, value);
      response.headers.set('x-request-id', observation.logEntry.requestId);
      return sendResponse(res, response, compression, () => {});
    }
    // A stream has logged its error already, unless a plugin created the stream.
    if (observation.logEntry.codes.length === 0) logUnexpectedError(error, exchange, observation);
    cut(client, observation.logEntry.codes[0] ?? UNEXPECTED.code);
  }

  /** Called when the response has been sent, or the client has disconnected. */
  function close(client: Client): void {
    const { res, cancellation, onClose } = client;
    const { socket } = res.req;
    const connection = connections.get(socket);
    if (!connection?.clients.delete(client)) return;
    connection.bytesRead = socket.bytesRead;
    if (!res.writableFinished) client.abortCode ??= 'CLIENT_CLOSED_REQUEST';
    cancellation.abort('closed');
    for (const callback of onClose) callback();
  }

  /** Resets the connection: in the middle of a response, nothing else shows its client that it is incomplete. */
  function cut(client: Client, abortCode?: string): void {
    client.abortCode ??= abortCode;
    client.res.req.socket.resetAndDestroy();
  }

  const server = createServer({ ...LIMITS, ...options.limits }, (req, res) => {
    handle(req, res).catch((error: unknown) => {
      log('error', 'unexpected error', getSafeDetails(error));
      res.destroy();
    });
  });
  server.maxHeadersCount = 100;
  server.maxConnections = 3_000;
  server.timeout = stalledMs;
  server.on('connection', (socket) => {
    connections.set(socket, { socket, clients: new Set(), bytesRead: 0 });
    socket.once('close', () => {
      // Node emits no `close` for a response that waits for an earlier one on its connection.
      getClients(socket).forEach(close);
      connections.delete(socket);
    });
  });
  server.on('timeout', (socket) => {
    const waiting = getClients(socket);
    if (waiting.size === 0) socket.destroy();
    // They wait for the REST service rather than for the client.
    else if (socket.writableLength === 0) socket.setTimeout(stalledMs);
    else for (const client of waiting) cut(client, client.observation.logEntry.stream && 'SLOW_CONSUMER');
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket) => {
    const clients = [...getClients(socket)];
    // A client would take a second response for a part of the first.
    const canRespond = clients.every(({ res }) => !res.headersSent && !res.req.complete);
    const isTimeout = error.code === TIMEOUT;
    if (!canRespond || (isTimeout && !socket.writable)) return void socket.destroy();
    // Discard the rest of the request until then: closing a connection with unread data could lose the response.
    if (socket.writable) socket.end(formatRawError(error), () => isTimeout && socket.destroy());
    clients.forEach(close);
  });

  return {
    listen: (port: number, host: string) => listenOn(server, port, host),
    connections: () => connections.size,
    /** Responds to requests for at most the grace period, and closes each connection after its response. */
    async drain(graceMs: number): Promise<void> {
      await stopListening(server);
      isClosing = true;
      activeAt = performance.now();
      const until = activeAt + graceMs;
      const waiting = () => Array.from(connections.values()).flatMap(({ clients }) => [...clients]);
      for (const { res } of waiting()) if (!res.headersSent) res.setHeader('Connection', 'close');
      while (connections.size > 0) {
        await sleep(SWEEP_MS);
        // Node reads sockets between a timer and the next immediate.
        await immediate();
        const now = performance.now();
        if (now >= until - LAST_WAIT_MS) state.rejectWaiting();
        if (now >= until) {
          for (const client of waiting()) cut(client, 'CUT_AT_SHUTDOWN');
          server.closeAllConnections();
        }
        // A proxy may send its next request on any connection that is left, so wait until none comes on any.
        if (now - activeAt < IDLE_GRACE_MS) continue;
        for (const { socket, clients, bytesRead } of connections.values())
          if (socket.bytesRead === bytesRead && clients.size === 0) socket.destroy();
      }
      server.close();
    },
  };
}
