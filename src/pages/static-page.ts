import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type GraphQLSchema, printSchema } from 'graphql';
import { CompressedBodies, Compression, type Encoding } from '../http/compression.ts';
import { ownerAt } from '../limits/owner.ts';
import { isReadOf, PAGE_HEADERS, type PageResponse, type Route } from './route.ts';

interface StaticPageOptions {
  readonly contentType: string;
  readonly compression: Compression;
  /** Request headers that decide on the response. */
  readonly vary?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** A page that does not change while the process runs: a client that still has it gets a 304. */
export class StaticPage {
  readonly #text: PageText;
  readonly #hash: string;
  readonly #options: StaticPageOptions;

  constructor(body: string | Buffer, options: StaticPageOptions) {
    this.#text = new PageText(body, options.compression);
    this.#hash = createHash('sha256').update(body).digest('base64url');
    this.#options = options;
  }

  responseTo(request: IncomingMessage): PageResponse | Promise<PageResponse> {
    const { contentType, vary = 'Accept-Encoding', headers } = this.#options;
    const headersIn = (encoding: Encoding | undefined) => ({
      ...PAGE_HEADERS,
      ...headers,
      ETag: this.#etagIn(encoding),
      'Cache-Control': 'no-cache',
      Vary: vary,
    });
    const encoding = this.#text.encodingFor(request);
    if (isKnown(request.headers['if-none-match'], this.#etagIn(encoding)))
      return { status: 304, headers: headersIn(encoding) };
    return this.#text.responseTo(request, 200, (used) => ({
      ...headersIn(used),
      'Content-Type': contentType,
    }));
  }

  /** Each encoding has its own strong ETag, because a strong ETag identifies the exact bytes. */
  #etagIn(encoding: Encoding | undefined): string {
    return `"${this.#hash}${encoding ? `-${encoding}` : ''}"`;
  }
}

/** A cache may have weakened the ETag; weak comparison is sufficient here. */
function isKnown(header = '', etag: string): boolean {
  return header.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim()));
}

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

export const SCHEMA_PATH = '/schema.graphql';

/**
 * The schema as SDL, for editors and code generators. Also served with trusted documents: they restrict what is run,
 * and the authors of such documents need the schema.
 */
export function createSchemaText(schema: GraphQLSchema, compression = new Compression()): Route {
  const page = new StaticPage(printSchema(schema), { contentType: 'text/plain; charset=utf-8', compression });
  return (request) => (isReadOf(SCHEMA_PATH, request) ? () => page.responseTo(request) : undefined);
}
