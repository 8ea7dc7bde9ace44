import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Gateway } from '../gateway/gateway.ts';
import type { Compression } from '../http/compression.ts';
import { getRequestId, overloaded, UNEXPECTED } from '../http/errors.ts';
import type { Client, Exchange } from '../request/exchange.ts';
import { errorResponse } from '../response/json-response.ts';
import { logUnexpectedError } from '../response/public-errors.ts';
import { getSafeDetails } from '../telemetry/log.ts';
import {
  checkRequest,
  endAndDiscard,
  formatRawError,
  LIMITS,
  listenOn,
  stopListening,
} from './node-server.ts';
import { sendResponse } from './send.ts';

/** How long idle connections stay open during drain, after the latest request on any of them. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 10;
/** Requests that wait for a slot are refused this long before the grace period ends. */
const LAST_WAIT_MS = 500;

export interface HttpServerOptions {
  readonly compression: Compression;
  /** How long a client may read nothing of a response. */
  readonly stalledMs?: number;
  readonly limits?: ServerOptions;
}

interface Connection {
  readonly socket: Socket;
  /** In the order of their requests, those whose responses have not been sent. */
  readonly clients: Set<Client>;
  /** How many bytes it had read when the last response on it ended. */
  bytesRead: number;
}

/** The gateway's own server: it hands requests to Yoga and sends its responses. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions) {
  const { compression, stalledMs = 30_000 } = options;
  // Each access would bind it anew.
  const { handleNodeRequestAndResponse, createContext, fetchAPI, memoryBudget, log, telemetry } = gateway;
  const connections = new Map<Duplex, Connection>();
  const clientsOn = (socket: Duplex) => connections.get(socket)?.clients ?? new Set();
  let isClosing = false;
  /** When the latest request was received, or closing began. */
  let activeAt = 0;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { headers, socket } = req;
    // An earlier response closes the connection, or has closed it, so this request would get none.
    if (!socket.writable || (isClosing && clientsOn(socket).size > 0)) return;
    activeAt = performance.now();
    // Node reads nothing behind a request to switch protocols, even if it is not granted.
    if (isClosing || headers.upgrade !== undefined) res.setHeader('Connection', 'close');
    const observation = telemetry.begin(headers, getRequestId(headers['x-request-id']));
    const client: Client = { res, observation, onClose: [] };
    const context = createContext(client);
    const { exchange } = context;
    const clients = clientsOn(socket);
    clients.add(client);
    res.on('error', () => {});
    res.on('close', () => close(client));
    let response: Response | undefined;
    try {
      checkRequest(req);
      response = await handleNodeRequestAndResponse(req, res, context);
      if (clients.has(client))
        await sendResponse(res, response, exchange, compression, (bytes) => hold(bytes, client, exchange));
    } catch (error) {
      await fail(error, client, exchange, response?.headers);
    }
    const end = () =>
      telemetry.end(observation, req, res.headersSent ? res.statusCode : undefined, client.abortCode);
    if (clients.has(client)) client.onClose.push(end);
    else end();
  }

  /** Takes memory for a response. What a mutation has written is told, even if there is no room. */
  function hold(bytes: number, client: Client, { admission, operations }: Exchange): void {
    const { limitKey } = admission;
    if (operations.some(({ isWriting }) => isWriting)) memoryBudget.forceAcquire(limitKey, bytes);
    else if (!memoryBudget.tryAcquire(limitKey, bytes)) {
      telemetry.shed('operation_memory');
      throw overloaded('Too many responses have not been read.');
    }
    client.onClose.push(() => memoryBudget.release(limitKey, bytes));
  }

  /** `given`: the headers of a response that could not be sent, such as those for pages of other origins. */
  async function fail(
    error: unknown,
    client: Client,
    exchange: Exchange,
    given: Iterable<[string, string]> = [],
  ): Promise<void> {
    const { res, observation } = client;
    // Nobody is there to see it, and an incomplete body needs no response.
    if (!res.req.socket.writable) return;
    if (!res.headersSent) {
      const response = errorResponse(error, exchange, fetchAPI);
      for (const [name, value] of given) if (!name.startsWith('content-')) response.headers.set(name, value);
      response.headers.set('x-request-id', observation.line.requestId);
      return sendResponse(res, response, exchange, compression, () => {});
    }
    // A stream has told of it, unless a plugin has made it.
    if (observation.line.codes.length === 0) logUnexpectedError(error, exchange, observation);
    cut(client, observation.line.codes[0] ?? UNEXPECTED.code);
  }

  /** The response has been sent, or its client has left: what is written later, it does not get. */
  function close(client: Client): void {
    const { res, onClose } = client;
    const { socket } = res.req;
    const connection = connections.get(socket);
    if (!connection?.clients.delete(client)) return;
    connection.bytesRead = socket.bytesRead;
    if (!res.writableFinished) client.abortCode ??= 'CLIENT_CLOSED_REQUEST';
    for (const tell of onClose) tell();
  }

  /** In the middle of a response only a reset tells its client that it is not whole. */
  function cut(client: Client, by?: string): void {
    client.abortCode ??= by;
    client.res.req.socket.resetAndDestroy();
  }

  const server = createServer({ ...LIMITS, ...options.limits }, (req, res) => {
    // What is wrong with one connection ends that connection.
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
    // Node calls it after the last response on a connection.
    socket.destroySoon = () => {
      const [client] = clientsOn(socket);
      if (!client || client.res.req.complete) Socket.prototype.destroySoon.call(socket);
      else endAndDiscard(socket, server.requestTimeout);
    };
    socket.once('close', () => {
      // One that waits behind another on its connection is not told by Node.
      clientsOn(socket).forEach(close);
      connections.delete(socket);
    });
  });
  server.on('timeout', (socket) => {
    const waiting = clientsOn(socket);
    if (waiting.size === 0) socket.destroy();
    // They wait for the REST service, rather than for their client.
    else if (socket.writableLength === 0) socket.setTimeout(stalledMs);
    else for (const client of waiting) cut(client, client.observation.line.stream && 'SLOW_CONSUMER');
  });
  server.on('clientError', (error, stream) => {
    const { socket, clients } = connections.get(stream) ?? {};
    // An answer behind or within another one would be taken for a part of it.
    const isAnswerable = [...(clients ?? [])].every(({ res }) => !res.headersSent && !res.req.complete);
    if (!socket || !isAnswerable || !socket.writable) return void stream.destroy();
    socket.write(formatRawError(error));
    clients?.forEach(close);
    endAndDiscard(socket, server.requestTimeout);
  });

  return {
    listen: (port: number, host: string) => listenOn(server, port, host),
    connections: () => connections.size,
    /** Answers what has been asked, each time for the last time on its connection, at most for the grace period. */
    async drain(graceMs: number): Promise<void> {
      await stopListening(server);
      isClosing = true;
      activeAt = performance.now();
      const until = activeAt + graceMs;
      const waiting = () => Array.from(connections.values()).flatMap(({ clients }) => [...clients]);
      for (const { res } of waiting()) if (!res.headersSent) res.setHeader('Connection', 'close');
      while (connections.size > 0) {
        await sleep(SWEEP_MS);
        // Node reads between a timer and the next immediate.
        await turn();
        const now = performance.now();
        // What still waits for a slot would not have time to run.
        if (now >= until - LAST_WAIT_MS) gateway.refuseWaiting();
        if (now >= until) {
          for (const client of waiting()) cut(client, 'CUT_AT_SHUTDOWN');
          server.closeAllConnections();
        }
        // Until no request comes on any, each may be the next: a proxy sends its requests on whichever are left.
        if (now - activeAt < IDLE_GRACE_MS) continue;
        for (const { socket, clients, bytesRead } of connections.values())
          if (socket.bytesRead === bytesRead && clients.size === 0) socket.destroy();
      }
      server.close();
    },
  };
}
