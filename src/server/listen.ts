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
 * Stops listening, once the connections are accepted that the kernel has already established: closing the listener would
 * reset them. Node accepts one per event loop turn. Those that come after it in the same turn are reset, so the last turn
 * should be a short one.
 */
export async function stopListening(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  for (let isDone = false; !isDone; ) {
    const before = accepted;
    await immediate();
    const turnStart = performance.now();
    await immediate();
    const now = performance.now();
    isDone = now >= until || (accepted === before && now - turnStart <= SHORT_TURN_MS);
  }
  // Not `http.Server.close`, which also destroys idle connections: a request may be on its way on one, and its client
  // could not safely retry it. A refused connection is safe to retry.
  Server.prototype.close.call(server);
}

/** What `0.0.0.0` and `::` listen on: all addresses of the machine, of the one family or of both. */
const WILDCARDS: Readonly<Record<string, string[]>> = { '0.0.0.0': ['IPv4'], '::': ['IPv4', 'IPv6'] };

/** Where a server can be opened, first from this machine: a wildcard is an address to listen on, and none to open. */
export function hostsToOpen(
  address: string,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): [string, ...string[]] {
  const families = WILDCARDS[address];
  if (families === undefined) return [address === '127.0.0.1' ? 'localhost' : inUrl(address)];
  const others = Object.values(interfaces)
    .flatMap((found = []) => found)
    // One of a link would need the name of the interface beside it, which browsers do not take.
    .filter(
      ({ family, internal, address }) => families.includes(family) && !internal && !/^fe80:/i.test(address),
    )
    .map(({ address }) => inUrl(address));
  return ['localhost', ...others];
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
