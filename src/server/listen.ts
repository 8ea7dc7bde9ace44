import { createServer } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { RequestError, UNEXPECTED } from '../http/errors.ts';
import type { Route } from '../pages/route.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';

export async function listenOn(server: Server, port: number, host: string): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('It listens on no port.');
  return address;
}

/** How long new connections are still accepted when drain starts. */
const ACCEPT_MS = 2_000;
/** The event loop turn after which the listener may close; a connection established during that turn is reset. */
const SHORT_TURN_MS = 0.5;

/**
 * Stops listening, once the connections are accepted that the kernel has already established, which closing the listener
 * would reset: Node accepts one in each turn of the event loop. The last turn should be a short one.
 */
export async function stopListening(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let hasAccepted = true;
  let turnMs = 0;
  server.on('connection', () => {
    hasAccepted = true;
  });
  while ((hasAccepted || turnMs > SHORT_TURN_MS) && performance.now() < until) {
    hasAccepted = false;
    await immediate();
    const start = performance.now();
    await immediate();
    turnMs = performance.now() - start;
  }
  // Not `http.Server.close`, which also destroys idle connections: a request may be on its way on one, and its client
  // could not safely retry it. A refused connection is safe to retry.
  Server.prototype.close.call(server);
}

const NOTHING_HERE = new RequestError(
  404,
  'NOT_FOUND',
  'This port is for operators: /health, /ready and, unless METRICS=off, /metrics.',
);

/** A port for operators alone: metrics and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(routes: readonly Route[], port: number, host: string, log: Log) {
  const server = createServer(async (req, res) => {
    try {
      const page = await routes.map((route) => route(req)).find((answer) => answer !== undefined);
      if (page === undefined) throw NOTHING_HERE;
      const { status, headers, body } = page;
      res.writeHead(status, { ...headers, 'Content-Length': body?.length ?? 0 }).end(body);
    } catch (error) {
      const isFault = !(error instanceof RequestError);
      if (isFault) log('error', 'unexpected error', faultDetails(error));
      const { status, message, headers } = isFault ? UNEXPECTED : error;
      res.writeHead(status, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
    }
  });
  const { port: listening } = await listenOn(server, port, host);
  return { port: listening, close: () => void server.close().closeAllConnections() };
}
