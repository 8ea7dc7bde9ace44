import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A service may close an idle connection at the very moment when a next request is under way on it. That takes luck
 * to see, so here it always happens: a request on a connection that was idle for longer than this is met by a reset.
 */
export function createIdleLimit(idleMs: number): (outgoing: ServerResponse) => boolean {
  const idleSince = new WeakMap<Socket, number>();
  return (outgoing) => {
    const { socket } = outgoing;
    if (socket === null) return true;
    if (performance.now() - (idleSince.get(socket) ?? Number.POSITIVE_INFINITY) > idleMs) {
      socket.resetAndDestroy();
      return false;
    }
    outgoing.once('finish', () => idleSince.set(socket, performance.now()));
    // Said by itself, it leaves out how long the connection is kept: a client must not be warned.
    outgoing.setHeader('connection', 'keep-alive');
    return true;
  };
}
