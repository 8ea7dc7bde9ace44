import type { IncomingMessage } from 'node:http';
import { RequestError } from '../../http/errors.ts';
import type { ErrorPage } from '../../pages/error-page.ts';
import type { PageResponse, Route } from '../../pages/route.ts';
import { faultDetails, type Log } from '../../telemetry/log.ts';
import type { RequestHandler } from './connections.ts';
import { sendPage } from './handler.ts';
import { createGuardedServer } from './listen.ts';
import { downloadLimits, Transfers } from './transfers.ts';

const MAX_CONNECTIONS = 100;
const MAX_UNSENT_BYTES = 10_000_000;

interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

interface AdminOptions {
  readonly port: number;
  readonly host: string;
  readonly log: Log;
  /** For what is not there. */
  readonly errorPage: ErrorPage;
}

/** A port for operators alone: metrics, status and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(
  routes: readonly Route[],
  { port, host, log, errorPage }: AdminOptions,
): Promise<AdminServer> {
  const downloads = new Transfers(downloadLimits(MAX_UNSENT_BYTES));
  const find = async (request: IncomingMessage): Promise<PageResponse> => {
    for (const route of routes) {
      const page = await route(request)?.();
      if (page) return page;
    }
    throw NOT_FOUND;
  };
  const handle: RequestHandler = async (request, response, connection) => {
    request.resume();
    const page = await find(request).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      return errorPage(request, error) ?? errorText(error);
    });
    sendPage(response, page, connection, downloads);
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

const NOT_FOUND = new RequestError(
  404,
  'NOT_FOUND',
  'This port is for operators: /health, /ready and, unless METRICS=off, /status and /metrics.',
);

function errorText({ status, headers, message }: RequestError): PageResponse {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
    body: Buffer.from(`${message}\n`),
  };
}
