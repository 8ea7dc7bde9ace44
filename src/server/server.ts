import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Gateway } from '../gateway/gateway.ts';
import type { Compression } from '../http/compression.ts';
import { errorAnswer, overloaded, RequestError, requestIdOf, UNEXPECTED } from '../http/errors.ts';
import { ownerAt } from '../limits/owner.ts';
import type { Readiness } from '../pages/status.ts';
import { type Client, GatewayContext } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { serverTiming } from '../telemetry/observation.ts';
import { NO_TELEMETRY, type RequestTelemetry } from '../telemetry/telemetry.ts';
import { checkRequest, LIMITS, listenOn, rawAnswer, stopListening } from './node-server.ts';
import { sendAnswer, writeHead } from './send.ts';

/** How long idle connections stay open during drain, after the latest request on any of them. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 10;

const UNREAD = overloaded('Too many responses have not been read.');

export interface HttpServerOptions {
  readonly compression: Compression;
  readonly log: Log;
  readonly telemetry?: RequestTelemetry | undefined;
  /** How long a client may read nothing of a response. */
  readonly stalledMs?: number;
  readonly limits?: ServerOptions;
}

interface Connection {
  readonly socket: Socket;
  /** Requests whose responses have not been sent. */
  readonly open: Exchange[];
  /** When the last response on it ended. */
  bytesRead: number;
}

/** A request, until its response has been sent or its client has left, and its operation has ended. */
interface Exchange {
  readonly res: ServerResponse;
  readonly connection: Connection;
  readonly client: Client;
  readonly context: GatewayContext;
  /** What is held of its response until that has been sent. */
  unsentBytes: number;
  isAnswered: boolean;
}

/** The gateway's own server: it hands requests to Yoga and sends its responses. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions) {
  const { compression, log, telemetry = NO_TELEMETRY, stalledMs = 30_000 } = options;
  // Each access would bind it anew.
  const { handleNodeRequestAndResponse, transfers } = gateway;
  const connections = new Map<Duplex, Connection>();
  /** How many exchanges have not ended. */
  let exchanges = 0;
  let isDraining = false;
  let isClosing = false;
  /** When the latest request was received, or closing began. */
  let activeAt = 0;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { headers } = req;
    const connection = connections.get(req.socket);
    // The answer in front of it closes the connection, so that nobody would be told of what it does.
    if (connection === undefined || (isClosing && connection.open.length > 0)) return;
    activeAt = performance.now();
    // Node reads nothing behind a request to switch protocols, even if it is not granted.
    if (isClosing || headers.upgrade !== undefined) res.setHeader('Connection', 'close');
    const requestId = requestIdOf(headers['x-request-id']);
    const observed = telemetry.begin(headers, requestId);
    const client: Client = { address: connection.socket.remoteAddress, isGone: false };
    const owner = ownerAt(client.address);
    const context = new GatewayContext({ req, client, requestId, headers, observed, owner });
    const exchange = { res, connection, client, context, unsentBytes: 0, isAnswered: false };
    connection.open.push(exchange);
    exchanges += 1;
    res.on('error', () => {});
    res.on('close', () => close(exchange));
    try {
      checkRequest(req);
      const response = await handleNodeRequestAndResponse(req, res, context);
      if (!client.isGone) await sendAnswer(res, response, compression, (bytes) => hold(exchange, bytes));
    } catch (error) {
      fail(error, exchange);
    }
    exchange.isAnswered = true;
    if (!connection.open.includes(exchange)) end(exchange);
  }

  /** Takes memory for a response until it has been sent. */
  function hold(exchange: Exchange, bytes: number): void {
    const { owner } = exchange.context;
    if (!transfers.tryTake(owner, bytes)) {
      // What a mutation has written is told, even if there is no room.
      if (!hasWritten(exchange.context)) throw UNREAD;
      transfers.take(owner, bytes);
    }
    exchange.unsentBytes += bytes;
  }

  function fail(error: unknown, exchange: Exchange): void {
    const { res, client, context } = exchange;
    const { req } = res;
    const { observed, requestId } = context;
    // Nobody is there to see it, and an incomplete body needs no response.
    if (client.isGone || req.socket.destroyed) return;
    const isFault = !(error instanceof RequestError);
    if (isFault && observed.codes.length === 0)
      log('error', 'unexpected error', { requestId, ...faultDetails(error) });
    const refusal = isFault ? UNEXPECTED : error;
    observed.addCode(refusal.code);
    if (res.headersSent) return void cut(exchange, observed.codes[0]);
    const { status, headers, body } = errorAnswer(refusal, requestId, req.headers.accept);
    writeHead(res, status, { ...headers, 'server-timing': serverTiming(observed) }, body.length);
    res.end(body);
  }

  /** The response has been sent, or its client has left: what is written later, it does not get. */
  function close(exchange: Exchange): void {
    const { res, connection, client, context } = exchange;
    const index = connection.open.indexOf(exchange);
    if (index < 0) return;
    connection.open.splice(index, 1);
    client.isGone = !res.writableFinished;
    transfers.release(context.owner, exchange.unsentBytes);
    connection.bytesRead = connection.socket.bytesRead;
    client.onLeave?.();
    if (exchange.isAnswered) end(exchange);
  }

  function end({ res, client, context: { observed } }: Exchange): void {
    exchanges -= 1;
    const { isGone, cutBy = 'CLIENT_CLOSED_REQUEST' } = client;
    telemetry.end(
      observed,
      res.req,
      res.headersSent ? res.statusCode : undefined,
      isGone ? cutBy : undefined,
    );
  }

  /** In the middle of a response only a reset tells its client that it is not whole. */
  function cut(exchange: Exchange, by?: string): void {
    exchange.client.cutBy ??= by;
    exchange.connection.socket.resetAndDestroy();
  }

  const server = createServer({ ...LIMITS, ...options.limits }, (req, res) => {
    // What is wrong with one connection ends that connection.
    handle(req, res).catch((error: unknown) => {
      log('error', 'unexpected error', faultDetails(error));
      res.destroy();
    });
  });
  server.maxHeadersCount = 100;
  server.maxConnections = 2_000;
  server.timeout = stalledMs;
  server.on('connection', (socket) => {
    const connection: Connection = { socket, open: [], bytesRead: 0 };
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      // One that waits behind another on its connection is not told by Node.
      for (const exchange of [...connection.open]) close(exchange);
    });
  });
  server.on('timeout', (socket) => {
    const { open = [] } = connections.get(socket) ?? {};
    if (open.length === 0) socket.destroy();
    // They wait for the REST service, rather than for their client.
    else if (socket.writableLength === 0) socket.setTimeout(stalledMs);
    else for (const exchange of open) cut(exchange, exchange.context.observed.stream && 'SLOW_CONSUMER');
  });
  server.on('clientError', (error, socket) => {
    const { open = [] } = connections.get(socket) ?? {};
    // An answer behind or within another one would be taken for a part of it.
    const isAnswerable = open.every(({ res }) => !res.headersSent && !res.req.complete);
    if (isAnswerable && socket.writable) socket.end(rawAnswer(error), () => socket.destroy());
    else socket.destroy();
  });

  /** Closes idle connections, unless a request is on its way: Node reads between one immediate and the next. */
  async function closeIdle(): Promise<void> {
    await turn();
    await turn();
    for (const { socket, open, bytesRead } of connections.values())
      if (open.length === 0 && socket.bytesRead === bytesRead) socket.destroy();
  }

  return {
    listen: (port: number, host: string) => listenOn(server, port, host),
    /** Takes a connection that another process has accepted. */
    accept(socket: Socket): void {
      server.emit('connection', socket);
      socket.resume();
    },
    readiness: (): Readiness => (isDraining ? 'stopping' : gateway.readiness()),
    connections: () => connections.size,
    /** From now on `/ready` fails, and streams of changes end, spread over so many milliseconds. */
    leaveRotation(spreadMs: number): void {
      isDraining = true;
      gateway.endSubscriptions(spreadMs);
    },
    /** Answers what has been asked, each time for the last time on its connection, at most for the grace period. */
    async drain(graceMs: number): Promise<void> {
      await stopListening(server);
      isClosing = true;
      activeAt = performance.now();
      const until = activeAt + graceMs;
      for (const { open } of connections.values())
        for (const { res } of open) if (!res.headersSent) res.setHeader('Connection', 'close');
      while (connections.size > 0) {
        const now = performance.now();
        if (now >= until)
          for (const { socket, open } of connections.values()) {
            for (const exchange of open) cut(exchange, 'CUT_AT_SHUTDOWN');
            socket.destroy();
          }
        // Until no request comes on any, each may be the next: a proxy sends its requests on whichever are left.
        else if (now - activeAt >= IDLE_GRACE_MS) await closeIdle();
        await sleep(SWEEP_MS);
      }
      server.close();
    },
    /** Resolves when the end of each request has been logged and counted. */
    async settled(): Promise<void> {
      while (exchanges > 0) await sleep(SWEEP_MS, undefined, { ref: false });
    },
  };
}

function hasWritten(context: GatewayContext): boolean {
  const { contexts = [] } = context.array ?? {};
  return [context, ...contexts].some(({ observed }) => observed.type === 'mutation');
}
