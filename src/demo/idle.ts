import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A server may close an idle keep-alive connection while the next request is being sent on it. To make this race
 * reproducible, every request on a connection that was idle for longer than `idleMs` is reset.
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
    // Set explicitly, so that Node does not announce the keep-alive timeout: clients should not be warned.
    outgoing.setHeader('connection', 'keep-alive');
    return true;
  };
}
