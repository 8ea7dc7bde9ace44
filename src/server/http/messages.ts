import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Connection } from './connection.ts';

/** More chunks must be this long on average: each is a call of the parser, which takes as long as 10 kB do. */
const MANY_CHUNKS = 100;
const MIN_CHUNK_BYTES = 500;

/**
 * Node's request, with these differences:
 * - One that arrives while its connection is not idle looks like one that switches protocols: Node then stops parsing,
 *   and hands the socket over by the event `upgrade`. Otherwise it would parse all that has arrived, up to thousands of
 *   requests at once, and keep each until those before it were answered.
 * - A body that nobody reads is dropped as it arrives: Node would keep up to 16 kB of it, each chunk as an object, which
 *   is three megabytes if each is a byte. So whoever reads it has to begin in the same turn as its request. A body in
 *   many small chunks is not read to its end.
 * - A fault in a listener of an event, Node's own included, ends its connection and not the process.
 */
export class SafeRequest extends IncomingMessage {
  readonly guard: Connection | undefined;
  readonly #isEarly: boolean;
  #chunks = 0;
  #chunkBytes = 0;
  /** Set while the rest of the body is skipped. */
  #endSkipping: (() => void) | undefined;

  constructor(socket: Socket) {
    super(socket);
    this.guard = Connection.of(socket);
    this.#isEarly = this.guard?.isIdle !== true;
  }

  get upgrade(): boolean {
    return this.#isEarly || this.method === 'CONNECT';
  }

  // Node sets it for each request that asks to switch protocols, all of which are served as if they did not.
  set upgrade(_asksForIt) {}

  /** Whether the body takes too long to read for its length. */
  get hasSmallChunks(): boolean {
    return this.#chunks > MANY_CHUNKS && this.#chunkBytes < this.#chunks * MIN_CHUNK_BYTES;
  }

  // Node's parser calls this with each chunk of the body, and with null behind the last.
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) this.#endSkipping?.();
    else if (this.headers['transfer-encoding'] !== undefined) this.#count(chunk.length);
    return chunk === null || this.listenerCount('data') > 0 ? super.push(chunk) : true;
  }

  #count(bytes: number): void {
    this.#chunks += 1;
    this.#chunkBytes += bytes;
    if (!this.hasSmallChunks || this.#endSkipping) return;
    // Whoever reads the body still gets this chunk, and refuses the body because of it.
    this.guard?.refuseInput();
    this.#endSkipping = skipBody(this.socket);
  }

  override emit(event: string | symbol, ...details: unknown[]): boolean {
    try {
      return super.emit(event, ...details);
    } catch (error) {
      return endConnection(this, error);
    }
  }
}

/** Node's response, with the last of these differences. */
export class SafeResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  override emit(event: string | symbol, ...details: unknown[]): boolean {
    try {
      return super.emit(event, ...details);
    } catch (error) {
      return endConnection(this.req, error);
    }
  }
}

function endConnection(request: IncomingMessage, fault: unknown): boolean {
  if (!(request instanceof SafeRequest) || !request.guard) throw fault;
  request.guard.fail(fault);
  return true;
}

/**
 * Makes Node's parser skip what is left of a body in the packet that it is reading: it looks up its listener, which is
 * known by its name, for each of the ten thousand chunks that there may be, and cannot be stopped otherwise. That takes
 * 4 ms instead of 19. Parsers are used again, so the listener is put back with the packet, before the socket can be
 * closed and its parser be given to another, or by the returned function when the body ends. If Node calls it otherwise
 * one day, the chunks are read and dropped.
 */
function skipBody(socket: Socket & { readonly parser?: object | null }): () => void {
  const parser = Object(socket.parser);
  const name = Object.keys(parser).find((key) => parser[key]?.name === 'parserOnBody');
  if (name === undefined) return () => {};
  const listener = parser[name];
  const putBack = () => {
    parser[name] = listener;
  };
  parser[name] = undefined;
  setImmediate(putBack);
  return putBack;
}
