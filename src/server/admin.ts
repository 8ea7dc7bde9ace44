import { createServer, type IncomingMessage } from 'node:http';
import { RequestError } from '../http/errors.ts';
import type { PageResponse, Route } from '../pages/route.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { listenOn } from './listen.ts';

const NOTHING_HERE = 'This port is for operators: /health, /ready and, unless METRICS=off, /metrics.';
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** A port for operators alone: metrics and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(routes: readonly Route[], port: number, host: string, log: Log) {
  const answerTo = async (req: IncomingMessage): Promise<PageResponse> => {
    try {
      for (const route of routes) {
        const page = await route(req)?.();
        if (page) return page;
      }
      return { status: 404, headers: TEXT, body: Buffer.from(`${NOTHING_HERE}\n`) };
    } catch (error) {
      if (error instanceof RequestError)
        return {
          status: error.status,
          headers: { ...error.headers, ...TEXT },
          body: Buffer.from(error.message),
        };
      log('error', 'unexpected error', faultDetails(error));
      return { status: 500, headers: {} };
    }
  };
  const server = createServer(async (req, res) => {
    const { status, headers, body } = await answerTo(req);
    res.writeHead(status, { ...headers, 'Content-Length': body?.length ?? 0 }).end(body);
  });
  const { port: listening } = await listenOn(server, port, host);
  return { port: listening, close: () => void server.close().closeAllConnections() };
}
