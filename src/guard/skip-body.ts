import type { Socket } from 'node:net';

/** The listener of Node's parser for chunks of a body, as Node names it. */
const BODY_LISTENER = 'parserOnBody';

/**
 * Makes Node's parser skip what is left of a body in the packet that it is reading: it looks up its listener for each of
 * the ten thousand chunks that there may be, and cannot be stopped otherwise. Parsers are used again, so the listener is
 * put back with the packet, or by the returned function when the body ends. If Node calls it otherwise one day, the
 * chunks are read and dropped, which takes longer.
 */
export function skipBody(socket: Socket & { readonly parser?: object | null }): () => void {
  const parser = socket.parser ?? {};
  const [name, listener] = Object.entries(parser).find(([, value]) => isBodyListener(value)) ?? [];
  if (name === undefined) return () => {};
  Reflect.set(parser, name, undefined);
  const putBack = () => void Reflect.set(parser, name, listener);
  // Before the socket can be closed, and its parser be given to another.
  setImmediate(putBack);
  return putBack;
}

function isBodyListener(value: unknown): boolean {
  return typeof value === 'function' && value.name === BODY_LISTENER;
}
