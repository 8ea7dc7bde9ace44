import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Gateway } from '../gateway/gateway.ts';
import type { Compression } from '../http/compression.ts';
import { errorAnswer, overloaded, RequestError, requestIdOf } from '../http/errors.ts';
import { ownerAt } from '../limits/owner.ts';
import type { Readiness } from '../pages/status.ts';
import { MAX_BODY_BYTES } from '../request/body.ts';
import { Client, type ServedRequest } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { type Observation, serverTiming } from '../telemetry/observation.ts';
import { NO_TELEMETRY, type RequestTelemetry, type SentResponse } from '../telemetry/telemetry.ts';
import { checkRequest, createLimitedServer, type ServerLimits } from './limited-server.ts';
import { listenOn, stopListening } from './listen.ts';
import { sendAnswer } from './send.ts';

const MAX_CONNECTIONS = 2_000;
/** How long idle connections stay open during drain, after the latest request on any of them. */
const IDLE_GRACE_MS = 1_000;
const SWEEP_MS = 100;

const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');
const UNREAD = overloaded('Too many responses have not been read.');

export interface DrainDelays {
  readonly delayMs?: number;
  /** What the ends of streams of changes are spread over, if not the delay. */
  readonly spreadMs?: number;
}

export interface HttpServerOptions extends ServerLimits {
  readonly compression: Compression;
  readonly log: Log;
  readonly telemetry?: RequestTelemetry | undefined;
}

interface Exchange {
  readonly client: Client;
  /** Called once when the response has been sent, or the client has disconnected. */
  readonly end: () => void;
}

/** The gateway's own server: it hands requests to Yoga and sends its responses. */
export function createHttpServer(gateway: Gateway, options: HttpServerOptions) {
  const { compression, log, telemetry = NO_TELEMETRY } = options;
  // Each access would bind it anew.
  const { handleNodeRequestAndResponse, transfers } = gateway;
  /** Responses that are being made or sent. */
  const exchanges = new Map<ServerResponse, Exchange>();
  /** Connections, with the number of bytes read when the last response on them ended. */
  const connections = new Map<Socket, number>();
  const running = new Set<Promise<void>>();
  let isDraining = false;
  let isClosing = false;
  /** When the latest request was received, or closing began. */
  let activeAt = 0;
  let onEmpty = () => {};

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { socket, headers } = req;
    // The answer in front of it closes the connection, so that nobody would be told of what it does.
    if (isClosing && responsesOn(socket).length > 0) return;
    activeAt = performance.now();
    // Node reads nothing behind a request to switch protocols, even if it is not granted.
    if (isClosing || headers.upgrade !== undefined) res.setHeader('Connection', 'close');
    const client = new Client(socket.remoteAddress);
    const requestId = requestIdOf(headers['x-request-id']);
    const observed = telemetry.begin(headers, requestId);
    let [owner, unsent, hasWritten] = [ownerAt(client.address), 0, false];
    const sent = new Promise<SentResponse>((resolve) => {
      const end = () => {
        if (!exchanges.delete(res)) return;
        resolve(sentResponse(res, client, observed));
        transfers.release(owner, unsent);
        client.isGone = !res.writableFinished;
        client.onLeave?.();
        if (!socket.destroyed) connections.set(socket, socket.bytesRead);
      };
      exchanges.set(res, { client, end });
      res.once('close', end);
    });
    /** Apart from the rest, since what it takes to answer must not stay until the answer has been read. */
    const answerTo = async (context: ServedRequest): Promise<Response> => {
      checkRequest(req);
      const answer = await handleNodeRequestAndResponse(req, res, context);
      owner = context.owner;
      const operations = [context, ...(context.array ?? []).map((entry) => entry.context)];
      hasWritten = operations.some((one) => one?.observed.type === 'mutation');
      return answer;
    };
    /** What a mutation has written is told, even if there is no room. */
    const hold = (bytes: number) => {
      if (hasWritten) transfers.take(owner, bytes);
      else if (!transfers.tryTake(owner, bytes)) throw UNREAD;
      unsent += bytes;
    };
    try {
      const answer = await answerTo({ req, client, requestId, observed, owner });
      // What is left of a body is not worth reading.
      if (hasLongBody(req)) res.setHeader('Connection', 'close');
      if (!client.isGone) await sendAnswer(res, answer, compression, hold);
    } catch (error) {
      fail(error, res, client, observed);
    }
    telemetry.end(req, await sent, observed);
  }

  function fail(error: unknown, res: ServerResponse, client: Client, observed: Observation): void {
    // Nobody is there to see it, and an incomplete body needs no response.
    if (client.isGone || res.req.socket.destroyed) return;
    const isFault = !(error instanceof RequestError);
    if (isFault && observed.codes.length === 0)
      log('error', 'unexpected error', { requestId: observed.requestId, ...faultDetails(error) });
    const refusal = isFault ? UNEXPECTED : error;
    observed.addCode(refusal.code);
    if (res.headersSent) return void cut(res, 'fault');
    const { status, headers, body } = errorAnswer(refusal, observed.requestId, res.req.headers.accept);
    if (hasLongBody(res.req)) res.setHeader('Connection', 'close');
    const more = { 'content-length': body.length, 'server-timing': serverTiming(observed) };
    res.writeHead(status, { ...headers, ...more }).end(body);
  }

  /** In the middle of a response only a reset tells its client that it is not whole. */
  function cut(res: ServerResponse, by: NonNullable<Client['cutBy']>): void {
    const exchange = exchanges.get(res);
    if (exchange) exchange.client.cutBy ??= by;
    res.req.socket.resetAndDestroy();
  }

  const server = createLimitedServer(
    {
      async handle(req, res) {
        const handling = handle(req, res).catch((error: unknown) => {
          log('error', 'unexpected error', faultDetails(error));
          res.destroy();
        });
        running.add(handling);
        await handling;
        running.delete(handling);
      },
      onStall: (res) => cut(res, 'slow reader'),
      responsesOn,
    },
    { maxConnections: MAX_CONNECTIONS, ...options },
  );
  server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => {
      connections.delete(socket);
      // One that waits behind another on its connection is not told by Node.
      for (const res of responsesOn(socket)) exchanges.get(res)?.end();
      if (connections.size === 0) onEmpty();
    });
  });

  function responsesOn(socket: Socket): ServerResponse[] {
    return [...exchanges.keys()].filter(({ req }) => req.socket === socket);
  }

  /**
   * Closes idle connections once no request has come on any for a while. Until then each may be the next: a proxy sends
   * its requests on whichever are left, and one that is on its way to a connection that closes is lost.
   */
  async function closeIdle(): Promise<void> {
    if (performance.now() - activeAt < IDLE_GRACE_MS) return;
    // A request may be waiting in the kernel: Node reads what has arrived between one immediate and the next.
    await turn();
    await turn();
    const busy = new Set(Array.from(exchanges.keys(), ({ req }) => req.socket));
    for (const [socket, bytesRead] of connections) {
      if (!busy.has(socket) && socket.bytesRead === bytesRead) socket.destroy();
    }
  }

  /** From now on `/ready` fails, and streams of changes end, spread over so many milliseconds. */
  function leaveRotation(spreadMs: number): void {
    isDraining = true;
    gateway.endSubscriptions(spreadMs);
  }

  return {
    listen: (port: number, host: string) => listenOn(server, port, host),
    /** Takes a connection that another process has accepted. */
    accept(socket: Socket): void {
      server.emit('connection', socket);
      socket.resume();
    },
    leaveRotation,
    readiness: (): Readiness => (isDraining ? 'stopping' : gateway.readiness()),
    connections: () => connections.size,
    /** Leaves the rotation; until clients know (`delayMs`), requests are served as before. Then the server drains. */
    async drain(graceMs: number, { delayMs = 0, spreadMs = delayMs }: DrainDelays = {}): Promise<void> {
      leaveRotation(spreadMs);
      await sleep(delayMs);
      await stopListening(server);
      isClosing = true;
      activeAt = performance.now();
      for (const res of exchanges.keys()) if (!res.headersSent) res.setHeader('Connection', 'close');
      const graceIsOver = setTimeout(() => {
        for (const res of exchanges.keys()) cut(res, 'shutdown');
        for (const socket of connections.keys()) socket.destroy();
      }, graceMs);
      const sweep = setInterval(() => void closeIdle(), SWEEP_MS);
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
        if (connections.size === 0) resolve();
      });
      clearTimeout(graceIsOver);
      clearInterval(sweep);
      server.close();
    },
    /** Resolves when the end of each request has been logged and counted. */
    settled: () => Promise.all(running),
  };
}

/** Whether a body has not arrived yet that is too long to read to its end, or has no length. */
function hasLongBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}

/** What the client got, as its connection ends: what is written to it later, it does not get. */
function sentResponse(
  { writableFinished, headersSent, statusCode }: ServerResponse,
  { cutBy }: Client,
  { codes: [code = 'INTERNAL_SERVER_ERROR'], stream }: Observation,
): SentResponse {
  const status = headersSent ? statusCode : undefined;
  if (writableFinished) return { status };
  if (cutBy === 'fault') return { status, cutBy: code };
  if (cutBy === 'slow reader' && stream) return { status, cutBy: 'SLOW_CONSUMER' };
  return { status, cutBy: cutBy === 'shutdown' ? 'CUT_AT_SHUTDOWN' : 'CLIENT_CLOSED_REQUEST' };
}
