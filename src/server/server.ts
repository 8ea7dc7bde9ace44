import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Gateway } from '../gateway/gateway.ts';
import type { Compression } from '../http/compression.ts';
import { errorAnswer, overloaded, RequestError, requestIdOf, UNEXPECTED } from '../http/errors.ts';
import { ownerAt } from '../limits/owner.ts';
import type { Readiness } from '../pages/status.ts';
import { Client, GatewayContext } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { type Observation, serverTiming } from '../telemetry/observation.ts';
import { NO_TELEMETRY, type RequestTelemetry } from '../telemetry/telemetry.ts';
import { checkRequest, createNodeServer, hasLongBody, listenOn, stopListening } from './node-server.ts';
import { sendAnswer } from './send.ts';

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

/** A request, until its response has been sent or its client has left, and its operation has ended. */
class Exchange extends Client {
  readonly res: ServerResponse;
  readonly observed: Observation;
  owner: string;
  /** What is held of its response until that has been sent. */
  unsentBytes = 0;
  isClosed = false;
  isAnswered = false;

  constructor(res: ServerResponse, observed: Observation) {
    const { remoteAddress } = res.req.socket;
    super(remoteAddress);
    this.res = res;
    this.observed = observed;
    this.owner = ownerAt(remoteAddress);
  }
}

/** The gateway's own server: it hands requests to Yoga and sends its responses. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions) {
  const { compression, log, telemetry = NO_TELEMETRY, stalledMs = 30_000 } = options;
  // Each access would bind it anew.
  const { handleNodeRequestAndResponse, transfers } = gateway;
  /** Not a Map: the tables that it outgrows would keep each request until the next full garbage collection. */
  const exchanges: Exchange[] = [];
  /** Connections, with the number of bytes read when the last response on them ended. */
  const connections = new Map<Socket, number>();
  let isDraining = false;
  let isClosing = false;
  /** When the latest request was received, or closing began. */
  let activeAt = 0;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { socket, headers } = req;
    // The answer in front of it closes the connection, so that nobody would be told of what it does.
    if (isClosing && exchangesOn(socket).length > 0) return;
    activeAt = performance.now();
    // Node reads nothing behind a request to switch protocols, even if it is not granted.
    if (isClosing || headers.upgrade !== undefined) res.setHeader('Connection', 'close');
    const exchange = new Exchange(res, telemetry.begin(headers, requestIdOf(headers['x-request-id'])));
    exchanges.push(exchange);
    res.on('error', () => {});
    res.on('close', () => close(exchange));
    try {
      checkRequest(req);
      await answer(req, res, exchange);
    } catch (error) {
      fail(error, exchange);
    }
    exchange.isAnswered = true;
    if (exchange.isClosed) end(exchange);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, exchange: Exchange): Promise<void> {
    const { observed, owner } = exchange;
    const { requestId } = observed;
    const { headers } = req;
    const context = new GatewayContext({ req, client: exchange, requestId, headers, observed, owner });
    const response = await handleNodeRequestAndResponse(req, res, context);
    exchange.owner = context.owner;
    // What is left of a body is not worth reading.
    if (hasLongBody(req)) res.setHeader('Connection', 'close');
    if (exchange.isGone) return;
    const hold = (bytes: number) => {
      if (!transfers.tryTake(exchange.owner, bytes)) {
        // What a mutation has written is told, even if there is no room.
        if (!hasWritten(context)) throw UNREAD;
        transfers.take(exchange.owner, bytes);
      }
      exchange.unsentBytes += bytes;
    };
    await sendAnswer(res, response, compression, hold, (error) => fail(error, exchange));
  }

  function fail(error: unknown, exchange: Exchange): void {
    const { res, observed } = exchange;
    // Nobody is there to see it, and an incomplete body needs no response.
    if (exchange.isGone || res.req.socket.destroyed) return;
    const isFault = !(error instanceof RequestError);
    if (isFault && observed.codes.length === 0)
      log('error', 'unexpected error', { requestId: observed.requestId, ...faultDetails(error) });
    const refusal = isFault ? UNEXPECTED : error;
    observed.addCode(refusal.code);
    if (res.headersSent) return void cut(exchange, observed.codes[0]);
    const { status, headers, body } = errorAnswer(refusal, observed.requestId, res.req.headers.accept);
    if (hasLongBody(res.req)) res.setHeader('Connection', 'close');
    const more = { 'content-length': body.length, 'server-timing': serverTiming(observed) };
    res.writeHead(status, { ...headers, ...more }).end(body);
  }

  /** The response has been sent, or its client has left: what is written later, it does not get. */
  function close(exchange: Exchange): void {
    if (exchange.isClosed) return;
    const { res } = exchange;
    exchange.isClosed = true;
    exchange.isGone = !res.writableFinished;
    transfers.release(exchange.owner, exchange.unsentBytes);
    const { socket } = res.req;
    if (!socket.destroyed) connections.set(socket, socket.bytesRead);
    exchange.onLeave?.();
    if (exchange.isAnswered) end(exchange);
  }

  function end(exchange: Exchange): void {
    exchanges.splice(exchanges.indexOf(exchange), 1);
    const { res, isGone, cutBy = 'CLIENT_CLOSED_REQUEST', observed } = exchange;
    const status = res.headersSent ? res.statusCode : undefined;
    telemetry.end(observed, res.req, status, isGone ? cutBy : undefined);
  }

  /** In the middle of a response only a reset tells its client that it is not whole. */
  function cut(exchange: Exchange, by?: string): void {
    exchange.cutBy ??= by;
    exchange.res.req.socket.resetAndDestroy();
  }

  function exchangesOn(socket: Socket): Exchange[] {
    return exchanges.filter(({ res }) => res.req.socket === socket);
  }

  /** What is wrong with one connection ends that connection. */
  const contained = (req: IncomingMessage, res: ServerResponse) =>
    handle(req, res).catch((error: unknown) => {
      log('error', 'unexpected error', faultDetails(error));
      res.destroy();
    });
  const server = createNodeServer(contained, stalledMs, options.limits);
  server.on('timeout', (socket) => {
    const open = exchangesOn(socket);
    if (open.length === 0) socket.destroy();
    // They wait for the REST service, rather than for their client.
    else if (socket.writableLength === 0) socket.setTimeout(stalledMs);
    else for (const exchange of open) cut(exchange, exchange.observed.stream && 'SLOW_CONSUMER');
  });
  server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => {
      connections.delete(socket);
      // One that waits behind another on its connection is not told by Node.
      for (const exchange of exchangesOn(socket)) close(exchange);
    });
  });

  /** Closes idle connections, unless a request is on its way: Node reads between one immediate and the next. */
  async function closeIdle(): Promise<void> {
    await turn();
    await turn();
    const busy = new Set(exchanges.map(({ res }) => res.req.socket));
    for (const [socket, bytesRead] of connections) {
      if (!busy.has(socket) && socket.bytesRead === bytesRead) socket.destroy();
    }
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
      for (const { res } of exchanges) if (!res.headersSent) res.setHeader('Connection', 'close');
      while (connections.size > 0) {
        const now = performance.now();
        if (now >= until) {
          for (const exchange of [...exchanges]) cut(exchange, 'CUT_AT_SHUTDOWN');
          for (const socket of connections.keys()) socket.destroy();
        }
        // Until no request comes on any, each may be the next: a proxy sends its requests on whichever are left.
        else if (now - activeAt >= IDLE_GRACE_MS) await closeIdle();
        await sleep(SWEEP_MS);
      }
      server.close();
    },
    /** Resolves when the end of each request has been logged and counted. */
    async settled(): Promise<void> {
      while (exchanges.length > 0) await sleep(SWEEP_MS, undefined, { ref: false });
    },
  };
}

function hasWritten({ observed, array = [] }: GatewayContext): boolean {
  return [observed, ...array.map(({ context }) => context?.observed)].some((one) => one?.type === 'mutation');
}
