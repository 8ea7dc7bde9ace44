import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Route } from './pages/route.ts';

const MAX_CONNECTIONS = 100;

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

/** A port for operators alone: metrics, status and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(
  routes: readonly Route[],
  { port, host }: { readonly port: number; readonly host: string },
): Promise<AdminServer> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    request.resume();
    for (const serve of routes) if (serve(request, response) !== false) return;
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end('There are /metrics, /status, /health and /ready.\n');
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { port: portOf(server), close: () => close(server) };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
