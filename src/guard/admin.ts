import type { PageResponse, Route } from '../pages/route.ts';
import { faultDetails } from '../telemetry/fault.ts';
import type { Log } from '../telemetry/log.ts';
import type { RequestHandler } from './connections.ts';
import { createGuardedServer } from './guarded-server.ts';
import { sendPage } from './send-page.ts';
import { downloadLimits, Transfers } from './transfers.ts';

const MAX_CONNECTIONS = 100;
const MAX_UNSENT_BYTES = 10_000_000;

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface AdminOptions {
  readonly port: number;
  readonly host: string;
  readonly log: Log;
}

/** A port for operators alone: metrics, status and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(
  routes: readonly Route[],
  { port, host, log }: AdminOptions,
): Promise<AdminServer> {
  const downloads = new Transfers(downloadLimits(MAX_UNSENT_BYTES));
  const handle: RequestHandler = async (request, response, connection) => {
    request.resume();
    let page: PageResponse | undefined;
    for (const route of routes) page ??= await route(request)?.();
    sendPage(response, page ?? NOT_FOUND, connection, downloads);
    const unsent = response.socket?.writableLength;
    if (unsent) connection.track(downloads, unsent);
  };
  const server = createGuardedServer({
    handle,
    onFault: (error) => log('error', 'connection closed by a fault', faultDetails(error)),
    // Beyond the limit the one that has been idle longest makes room, so that nobody can lock operators out.
    maxConnections: MAX_CONNECTIONS,
  });
  const { port: listening } = await server.listen(port, host);
  return { port: listening, close: () => server.drain(0) };
}

const NOT_FOUND: PageResponse = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: Buffer.from('There are /metrics, /status, /health and /ready.\n'),
};
