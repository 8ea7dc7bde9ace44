import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type DemoOptions, type DemoService, startDemoService } from './rest-service.mjs';

export type Ends = (end: () => void) => void;

/** Starts a server at a free port of this machine; it ends with its connections. Returns the port. */
export async function listen(server: Server, ends: Ends = onTestFinished): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on no port.');
  return address.port;
}

export async function startRest(options?: DemoOptions): Promise<DemoService> {
  const rest = await startDemoService(options);
  onTestFinished(() => rest.close());
  return rest;
}

export function makeFolder(ends: Ends = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  ends(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
