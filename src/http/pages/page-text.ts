import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { CompressedBodies } from '../../gateway/compressed-bodies.ts';
import { ownerAt } from '../../limits/owner.ts';
import type { Compression, Encoding } from '../compression.ts';

/** Pages are compressed once and sent often, so compression pays off at a smaller size than for responses. */
const MIN_BYTES = 1_000;

/** A body that is sent many times: compressed once per requested encoding. */
export class PageText {
  readonly #body: Buffer;
  readonly #compression: Compression;
  readonly #compressed = new CompressedBodies();

  constructor(body: string | Buffer, compression: Compression) {
    this.#body = typeof body === 'string' ? Buffer.from(body) : body;
    this.#compression = compression;
  }

  /** The encoding that a request will get, unless too many compressions are in flight. */
  encodingFor({ headers }: IncomingMessage): Encoding | undefined {
    return this.#compression.encodingFor(headers['accept-encoding'], this.#body.length, MIN_BYTES);
  }

  /** Sends the text; headers may depend on the encoding used. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    headers: OutgoingHttpHeaders | ((encoding: Encoding | undefined) => OutgoingHttpHeaders),
  ): Promise<true> {
    const encoding = this.encodingFor(request);
    const compressed = encoding && (await this.#compress(encoding, request));
    const used = compressed ? encoding : undefined;
    const body = compressed ?? this.#body;
    response.writeHead(status, {
      ...(typeof headers === 'function' ? headers(used) : headers),
      ...(used && { 'Content-Encoding': used }),
      'Content-Length': body.length,
    });
    response.end(body);
    return true;
  }

  #compress(encoding: Encoding, { socket }: IncomingMessage): Promise<Buffer | undefined> {
    const owner = ownerAt(socket.remoteAddress);
    return this.#compressed.getOrCreate(encoding, () =>
      this.#compression.compress([this.#body], encoding, owner),
    );
  }
}
