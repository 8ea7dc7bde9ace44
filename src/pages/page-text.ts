import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { CompressedBodies } from '../http/compressed-bodies.ts';
import type { Compression, Encoding } from '../http/compression.ts';
import { ownerAt } from '../limits/owner.ts';
import type { PageResponse } from './route.ts';

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

  /** The response for a request; headers may depend on the encoding used. */
  async responseTo(
    request: IncomingMessage,
    status: number,
    headers: OutgoingHttpHeaders | ((encoding: Encoding | undefined) => OutgoingHttpHeaders),
  ): Promise<PageResponse> {
    const encoding = this.encodingFor(request);
    const compressed = encoding && (await this.#compress(encoding, request));
    const used = compressed ? encoding : undefined;
    return {
      status,
      headers: {
        ...(typeof headers === 'function' ? headers(used) : headers),
        ...(used && { 'Content-Encoding': used }),
      },
      body: compressed ?? this.#body,
    };
  }

  #compress(encoding: Encoding, { socket }: IncomingMessage): Promise<Buffer | undefined> {
    const owner = ownerAt(socket.remoteAddress);
    return this.#compressed.getOrCreate(encoding, () =>
      this.#compression.compress([this.#body], encoding, owner),
    );
  }
}
