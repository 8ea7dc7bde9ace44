import { setImmediate as immediate } from 'node:timers/promises';

/** How long new connections are still accepted when drain starts. */
const ACCEPT_MS = 2_000;
/** The event loop turn after which the listener may close; a connection established during that turn is reset. */
const SHORT_TURN_MS = 0.5;

/**
 * Accepts connections that the kernel has already established: closing the listener would reset them. Node accepts one
 * per event loop turn. Those that come after it in the same turn are reset, so the last turn should be a short one.
 */
export async function acceptPending(connections: { readonly opened: number }): Promise<void> {
  const until = performance.now() + ACCEPT_MS;
  let opened: number;
  let turnStart: number;
  do {
    opened = connections.opened;
    await immediate();
    turnStart = performance.now();
    await immediate();
  } while (
    (connections.opened > opened || performance.now() - turnStart > SHORT_TURN_MS) &&
    performance.now() < until
  );
}
