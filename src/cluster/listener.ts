import { createServer, type Socket } from 'node:net';
import { acceptPending } from '../guard/accept-pending.ts';
import { type Address, addressOf } from '../guard/guarded-server.ts';

/** The port of all workers. */
export interface Listener extends Address {
  /** Stops accepting, once those that the kernel has established are handed out. */
  close(): Promise<void>;
}

/**
 * Accepts connections for the workers. Node's cluster can do that too, but there the port closes as the last worker
 * leaves it, and connections that were just accepted are reset. Here it closes before the workers are told to stop.
 */
export async function listenFor(
  { port, host }: { readonly port: number; readonly host: string },
  handOut: (socket: Socket) => void,
): Promise<Listener> {
  const accepted = { opened: 0 };
  // Nothing is read here, so all of it is left for the worker.
  const server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (socket) => {
    accepted.opened += 1;
    handOut(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    ...addressOf(server.address()),
    async close() {
      await acceptPending(accepted);
      server.close();
    },
  };
}
