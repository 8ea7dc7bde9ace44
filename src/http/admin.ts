import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Route } from './pages/route.ts';

const MAX_IDLE = 100;

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

/** A port for operators alone: metrics, status and probes. It stays open until the gateway has stopped. */
export async function listenAdmin(
  routes: readonly Route[],
  { port, host }: { readonly port: number; readonly host: string },
): Promise<AdminServer> {
  const timeouts = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
  const idle = new Set<Socket>();
  const server = createServer(timeouts, (request, response) => {
    const { socket } = request;
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
    request.resume();
    for (const serve of routes) if (serve(request, response) !== false) return;
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end('There are /metrics, /status, /health and /ready.\n');
  });
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
    // Beyond the limit the one that has been idle longest makes room, so that nobody can lock operators out.
    const [oldest] = idle;
    if (idle.size > MAX_IDLE) oldest?.destroy();
  });
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
