import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ChunkCount, skipBody } from './body.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/**
 * Node's messages, for `createServer`, with three differences.
 *
 * A request that arrives while its connection is not idle looks like one that switches protocols: Node then stops
 * parsing, and hands the socket over by the event `upgrade`. Otherwise it would parse all that has arrived, up to
 * thousands of requests at once, and keep each until those before it were answered.
 *
 * A body that nobody reads is dropped as it arrives: Node would keep up to 16 kB of it, each chunk as an object, which is
 * three megabytes if each is a byte. So whoever reads it has to begin in the same turn as its request. A body in many
 * small chunks is not read to its end.
 *
 * A fault in a listener of an event, Node's own included, ends its connection and not the process.
 */
export function guardedMessages(
  connections: Connections,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class GuardedRequest extends IncomingMessage {
    readonly guardedBy: Connection | undefined;
    readonly #isEarly: boolean;
    readonly #chunks = new ChunkCount();
    /** Set while the rest of the body is skipped. */
    #endSkipping: (() => void) | undefined;

    constructor(socket: Socket) {
      super(socket);
      this.guardedBy = connections.of(socket);
      this.#isEarly = this.guardedBy?.isIdle !== true;
    }

    get upgrade(): boolean {
      return this.#isEarly || this.method === 'CONNECT';
    }

    // Node sets it for each request that asks to switch protocols, all of which are served as if they did not.
    set upgrade(_asksForIt) {}

    // Node's parser calls this with each chunk of the body, and with null behind the last.
    override push(chunk: Buffer | null): boolean {
      if (chunk === null) this.#endSkipping?.();
      else if (this.headers['transfer-encoding'] !== undefined) this.#count(chunk);
      return chunk === null || this.listenerCount('data') > 0 ? super.push(chunk) : true;
    }

    #count({ length }: Buffer): void {
      this.#chunks.add(length);
      if (!this.#chunks.areTooSmall || this.#endSkipping) return;
      // Whoever reads the body still gets this chunk, and refuses the body because of it.
      this.guardedBy?.refuseInput();
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

  class GuardedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override emit(event: string | symbol, ...details: unknown[]): boolean {
      try {
        return super.emit(event, ...details);
      } catch (error) {
        return endConnection(this.req, error);
      }
    }
  }

  function endConnection(request: IncomingMessage, error: unknown): true {
    if (!(request instanceof GuardedRequest) || !request.guardedBy) throw error;
    request.guardedBy.fail(error);
    return true;
  }

  return { IncomingMessage: GuardedRequest, ServerResponse: GuardedResponse };
}
