import type { IncomingMessage } from 'node:http';
import { RequestError } from '../http/errors.ts';
import type { PageResponse, Route } from '../pages/route.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { createLimitedServer } from './limited-server.ts';
import { listenOn } from './listen.ts';

/** A port for operators alone: metrics and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(routes: readonly Route[], port: number, host: string, log: Log) {
  const find = async (req: IncomingMessage): Promise<PageResponse> => {
    try {
      for (const route of routes) {
        const page = await route(req)?.();
        if (page) return page;
      }
      throw NOT_FOUND;
    } catch (error) {
      if (error instanceof RequestError) return errorText(error);
      log('error', 'unexpected error', faultDetails(error));
      return { status: 500, headers: {} };
    }
  };
  const server = createLimitedServer({
    async handle(req, res) {
      const { status, headers, body } = await find(req);
      res.writeHead(status, { ...headers, 'Content-Length': body?.length ?? 0 }).end(body);
    },
    onStall: (res) => res.req.socket.destroy(),
    responsesOn: () => [],
  });
  const { port: listening } = await listenOn(server, port, host);
  return {
    port: listening,
    async close(): Promise<void> {
      server.close().closeAllConnections();
    },
  };
}

const NOT_FOUND = new RequestError(
  404,
  'NOT_FOUND',
  'This port is for operators: /health, /ready and, unless METRICS=off, /metrics.',
);

function errorText({ status, headers, message }: RequestError): PageResponse {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
    body: Buffer.from(`${message}\n`),
  };
}
