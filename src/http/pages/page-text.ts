import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { CompressedBodies } from '../../gateway/compressed-bodies.ts';
import { ownerAt } from '../../limits/owner.ts';
import type { Compression, Encoding } from '../compression.ts';

/** Pages are compressed once for many, so shorter ones than answers are worth it. */
const MIN_BYTES = 1_000;

/** A text that is sent again and again: compressed once in each encoding that is asked for. */
export class PageText {
  readonly #body: Buffer;
  readonly #compression: Compression;
  readonly #compressed = new CompressedBodies();

  constructor(text: string, compression: Compression) {
    this.#body = Buffer.from(text);
    this.#compression = compression;
  }

  /** The encoding in which a request will get it, unless too much else is being compressed. */
  encodingFor({ headers }: IncomingMessage): Encoding | undefined {
    return this.#compression.encodingFor(headers['accept-encoding'], this.#body.length, MIN_BYTES);
  }

  /** Sends it, with headers that may depend on the encoding. */
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
