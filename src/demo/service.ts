import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { handleRequest } from './endpoints.ts';
import { type DemoRequest, type DemoResponse, jsonResponse, readRequest } from './http.ts';
import { createLife } from './life.ts';
import { createWorld, type WorldOptions } from './world.ts';

export type { DemoData } from './data/generate.ts';

export type DemoExchange = ReturnType<typeof createExchange>;
type World = ReturnType<typeof createWorld>;

export interface DemoOptions extends WorldOptions {
  /** 0, the default, uses any free port. */
  port?: number;
  host?: string;
  /** How often something changes by itself; 0, the default, if nothing does. */
  changesMs?: number;
  /** Answers in place of the service: tests watch the calls, and let some fail. */
  intercept?: (exchange: DemoExchange) => Promise<void>;
}

/** Starts the REST service of the description, with generated data, over real HTTP. */
export async function startDemoService(options: DemoOptions = {}) {
  const { port = 0, host = '127.0.0.1', changesMs = 0, intercept, ...worldOptions } = options;
  const world = createWorld(worldOptions);
  const server = createServer(async (incoming, outgoing) => {
    const exchange = createExchange(incoming, outgoing, world);
    try {
      if (intercept) await intercept(exchange);
      else exchange.send(exchange.respond(await exchange.read()));
    } catch (error) {
      // Either the client disconnected, and the response is discarded, or the service has a bug.
      if (!outgoing.headersSent) exchange.send(internalError(error));
    }
  });
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The service listens on no port.');
  const life = changesMs > 0 ? setInterval(createLife(world), changesMs).unref() : undefined;

  return {
    url: `http://${host}:${address.port}`,
    /** The records; writes change them. */
    data: world.data,
    /** Stops at once and destroys open connections. */
    async close(): Promise<void> {
      clearInterval(life);
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

export function internalError(error: unknown): DemoResponse {
  return jsonResponse(500, { code: 'internal_error', message: String(error) });
}

/** One request and its pending response. */
function createExchange(incoming: IncomingMessage, outgoing: ServerResponse, world: World) {
  /** Writes only the status and headers, for those who send the body themselves. */
  function writeHead({ status, headers, body }: DemoResponse): void {
    // Of the clock that stamps the records, which clients may compare.
    const date = new Date(world.now()).toUTCString();
    outgoing.writeHead(status, { date, ...headers, 'content-length': body.length });
  }
  return {
    incoming,
    outgoing,
    read: () => readRequest(incoming),
    /** Computes the response, and applies writes. */
    respond: (request: DemoRequest) => handleRequest(request, world),
    writeHead,
    send(response: DemoResponse): void {
      if (outgoing.destroyed) return;
      writeHead(response);
      outgoing.end(response.body);
    },
  };
}
