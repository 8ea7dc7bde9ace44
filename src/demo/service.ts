import { once } from 'node:events';
import { createServer } from 'node:http';
import { createActivity } from './activity.ts';
import { handleRequest } from './endpoints.ts';
import { type DemoResponse, jsonResponse, readRequest } from './http.ts';
import { createServiceState } from './service-state.ts';

export interface DemoOptions {
  /** Default: any free port. */
  port?: number;
  /** The interval of simulated changes, which start when a client first asks for changes; default: 0, none. */
  changesMs?: number;
}

/** Starts an HTTP server that simulates the REST service, with generated data. */
export async function startDemoService({ port = 0, changesMs = 0 }: DemoOptions = {}) {
  let activity: NodeJS.Timeout | undefined;
  const state = createServiceState({
    // Until then, users see the same data as in tutorials.
    onChangesAsked() {
      if (changesMs > 0) activity ??= setInterval(createActivity(state), changesMs).unref();
    },
  });
  const server = createServer(async (incoming, outgoing) => {
    let response: DemoResponse;
    try {
      response = handleRequest(await readRequest(incoming), state);
    } catch (error) {
      // Either the client disconnected, and the response is discarded, or the service has a bug.
      response = jsonResponse(500, { code: 'internal_error', message: String(error) });
    }
    outgoing.writeHead(response.status, response.headers).end(response.body);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The service listens on no port.');

  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Stops at once and destroys open connections. */
    async close(): Promise<void> {
      clearInterval(activity);
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
