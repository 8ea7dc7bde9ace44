import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../../http/errors.ts';
import type { ErrorPage } from '../../pages/error-page.ts';
import type { PageResponse, Route } from '../../pages/route.ts';
import { faultDetails, type Log } from '../../telemetry/log.ts';
import { hasUnreadBody } from './body.ts';
import type { Connection } from './connection.ts';
import { createGuardedServer } from './guarded-server.ts';
import { sendBody } from './parts.ts';
import { downloadLimits, Transfers } from './transfers.ts';

const MAX_CONNECTIONS = 100;
const MAX_UNSENT_BYTES = 10_000_000;

/** What operators find at a port of their own, and the page for what is not there. */
export interface AdminPages {
  readonly routes: readonly Route[];
  readonly errorPage: ErrorPage;
}

/** A port for operators alone: metrics, status and probes. It stays open until the gateway has stopped. */
export async function listenAdmin({ routes, errorPage }: AdminPages, port: number, host: string, log: Log) {
  const downloads = new Transfers(downloadLimits(MAX_UNSENT_BYTES));
  const find = async (request: IncomingMessage): Promise<PageResponse> => {
    for (const route of routes) {
      const page = await route(request)?.();
      if (page) return page;
    }
    throw NOT_FOUND;
  };
  const server = createGuardedServer({
    async handle(request, response, connection) {
      request.resume();
      const page = await find(request).catch((error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        return errorPage(request, error) ?? errorText(error);
      });
      sendPage(response, page, connection, downloads);
      const unsent = response.socket?.writableLength;
      if (unsent) connection.track(downloads, unsent);
    },
    onFault: (error) => log('error', 'connection closed by a fault', faultDetails(error)),
    // Beyond the limit the one that has been idle longest makes room, so that nobody can lock operators out.
    maxConnections: MAX_CONNECTIONS,
  });
  const { port: listening } = await server.listen(port, host);
  return { port: listening, close: () => server.drain(0) };
}

export function sendPage(
  response: ServerResponse,
  { status, headers, body, isOwnBody = false }: PageResponse,
  connection: Connection,
  downloads: Transfers,
): void {
  if (hasUnreadBody(response.req)) response.shouldKeepAlive = false;
  response.writeHead(status, { ...headers, ...(body && { 'Content-Length': body.length }) });
  if (body === undefined) response.end();
  else
    sendBody(response, [body], body.length, () => connection.track(downloads, isOwnBody ? body.length : 0));
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
