import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDoor, type Rooms } from './door.ts';

export interface HttpServer {
  readonly port: number;
  /** Refuses new work, lets what is under way finish, and cuts what is left after the grace period. */
  drain(graceMs: number): Promise<void>;
}

export async function listen(
  rooms: Omit<Rooms, 'isReady'>,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<HttpServer> {
  let draining = false;
  const door = createDoor({ ...rooms, isReady: () => !draining });
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // A kept-alive connection would keep the process alive with it.
    if (draining) response.setHeader('Connection', 'close');
    void door(request, response);
  };
  // A caller who sends its headers or body slowly is cut, rather than holding a connection for ever.
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });

  return {
    port: portOf(server.address()),
    drain: (graceMs) =>
      new Promise((resolve) => {
        draining = true;
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
