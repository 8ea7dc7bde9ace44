import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { handleRequest } from './endpoints.ts';
import { createCall, createExchange, type DemoCall, recordBody } from './exchange.ts';
import { createFaultQueue, type Fault, misbehave } from './faults.ts';
import { createIdleLimit, jsonResponse, readRequest } from './http.ts';
import { createLife } from './life.ts';
import { createWorld, type WorldOptions } from './world.ts';

export type { DemoData } from './data/generate.ts';
export type { DemoCall } from './exchange.ts';
export type { Fault } from './faults.ts';

/** Maximum number of recorded calls: more than any test needs, and bounded for a service that runs for weeks. */
const LOG_LENGTH = 20_000;

export interface DemoOptions extends WorldOptions {
  /** 0, the default, uses any free port. */
  port?: number;
  host?: string;
  /** Resets requests on connections that were idle for longer; by default keep-alive is left to Node. */
  idleMs?: number;
  /** How often something changes by itself; 0, the default, if nothing does. */
  changesMs?: number;
}

export type DemoService = Awaited<ReturnType<typeof startDemoService>>;

/** Starts the REST service of the description, with generated data, over real HTTP. */
export async function startDemoService(options: DemoOptions = {}) {
  const { port = 0, host = '127.0.0.1', idleMs, changesMs = 0, ...worldOptions } = options;
  const world = createWorld(worldOptions);
  const calls: DemoCall[] = [];
  const faults = createFaultQueue();
  const acceptsRequest = idleMs === undefined ? () => true : createIdleLimit(idleMs);

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!acceptsRequest(outgoing)) return;
    const call = createCall(incoming);
    calls.push(call);
    if (calls.length > LOG_LENGTH) calls.splice(0, LOG_LENGTH / 2);
    const fault = faults.take(call);
    const exchange = createExchange(call, outgoing, world.now);
    try {
      const request = await readRequest(incoming);
      recordBody(call, request);
      const respond = () => handleRequest(request, world);
      if (fault) await misbehave(fault, respond, exchange);
      else exchange.send(respond());
    } catch (error) {
      // Either the client disconnected, and the response is discarded, or the service has a bug.
      if (!outgoing.headersSent) {
        exchange.send(jsonResponse(500, { code: 'internal_error', message: String(error) }));
      }
    }
  }

  const server = createServer(serve);
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The service listens on no port.');
  const life = changesMs > 0 ? setInterval(createLife(world), changesMs).unref() : undefined;

  return {
    url: `http://${host}:${address.port}`,
    /** The requests in order of arrival; the oldest are dropped when there are too many. */
    calls,
    /** The records; writes change them. */
    data: world.data,
    misbehave: (fault: Fault) => void faults.add(fault),
    /** Removes the remaining faults, or those of one caller alone. */
    behave: faults.clear,
    /** Stops at once and destroys open connections. */
    async close(): Promise<void> {
      clearInterval(life);
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
