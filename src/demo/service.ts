import { once } from 'node:events';
import { createServer } from 'node:http';
import { createActivity } from './activity.ts';
import { handleRequest } from './endpoints.ts';
import { type DemoResponse, jsonResponse, readRequest } from './http.ts';
import { createServiceState } from './service-state.ts';

export interface DemoOptions {
  /** 0, the default, uses any free port. */
  port?: number;
  /** How often something changes by itself, once somebody has asked for changes; 0, the default, if nothing does. */
  changesMs?: number;
}

/** Starts the REST service of the description, with generated data, over real HTTP. */
export async function startDemoService({ port = 0, changesMs = 0 }: DemoOptions = {}) {
  let activity: NodeJS.Timeout | undefined;
  const state = createServiceState({
    // Until then, everybody sees what tutorials print.
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
