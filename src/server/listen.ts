import { Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setImmediate as immediate } from 'node:timers/promises';

export interface ListenAddress {
  readonly address: string;
  readonly port: number;
}

export async function listenOn(server: Server, port: number, host: string): Promise<ListenAddress> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address : { address: '', port: 0 };
}

/** How long new connections are still accepted when drain starts. */
const ACCEPT_MS = 2_000;
/** The event loop turn after which the listener may close; a connection established during that turn is reset. */
const SHORT_TURN_MS = 0.5;

/**
 * Stops listening, once the connections are accepted that the kernel has already established, which closing the listener
 * would reset: Node accepts one in each turn of the event loop. The last turn should be a short one.
 */
export async function stopListening(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let hasAccepted = true;
  let turnMs = 0;
  server.on('connection', () => {
    hasAccepted = true;
  });
  while ((hasAccepted || turnMs > SHORT_TURN_MS) && performance.now() < until) {
    hasAccepted = false;
    await immediate();
    const start = performance.now();
    await immediate();
    turnMs = performance.now() - start;
  }
  // Not `http.Server.close`, which also destroys idle connections: a request may be on its way on one, and its client
  // could not safely retry it. A refused connection is safe to retry.
  Server.prototype.close.call(server);
}

/** Where a server can be opened, first from this machine: a wildcard is an address to listen on, and none to open. */
export function hostsToOpen(address: string, interfaces = networkInterfaces()): [string, ...string[]] {
  if (address !== '0.0.0.0' && address !== '::')
    return [address === '127.0.0.1' ? 'localhost' : inUrl(address)];
  const others = Object.values(interfaces)
    .flatMap((found = []) => found)
    .filter(({ family, internal }) => !internal && (family === 'IPv4' || address === '::'))
    .map(({ address }) => inUrl(address))
    // Browsers do not take the name of the interface, which an address of a link would need beside it.
    .filter((host) => !/^\[fe80:/i.test(host));
  return ['localhost', ...others];
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
