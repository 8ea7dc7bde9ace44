import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type GraphQLSchema, printSchema } from 'graphql';
import { CompressedBodies, Compression, type Encoding } from '../http/compression.ts';
import { ownerAt } from '../limits/owner.ts';
import { isRead, PAGE_HEADERS, type PageResponse, pathOf, READ_ONLY, type Route } from './route.ts';

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
    headersIn: (encoding: Encoding | undefined) => OutgoingHttpHeaders,
  ): Promise<PageResponse> {
    const encoding = this.encodingFor(request);
    const owner = ownerAt(request.socket.remoteAddress);
    const compressed =
      encoding &&
      (await this.#compressed.getOrCreate(encoding, () =>
        this.#compression.compress([this.#body], encoding, owner),
      ));
    if (!compressed) return { status, headers: headersIn(undefined), body: this.#body };
    const headers = { ...headersIn(encoding), 'Content-Encoding': encoding };
    return { status, headers, body: compressed };
  }
}

interface StaticPageOptions {
  readonly contentType: string;
  readonly compression: Compression;
  /** Request headers that decide on the response. */
  readonly vary?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** What answers requests for a page that does not change while the process runs. */
export type StaticPage = (request: IncomingMessage) => PageResponse | Promise<PageResponse>;

/** A client that still has the page gets a 304. */
export function createStaticPage(body: string | Buffer, options: StaticPageOptions): StaticPage {
  const { contentType, compression, vary = 'Accept-Encoding', headers } = options;
  const text = new PageText(body, compression);
  const hash = createHash('sha256').update(body).digest('base64url');
  /** Each encoding has its own strong ETag, because a strong ETag identifies the exact bytes. */
  const headersIn = (encoding: Encoding | undefined) => ({
    ...PAGE_HEADERS,
    ...headers,
    ETag: `"${hash}${encoding ? `-${encoding}` : ''}"`,
    'Cache-Control': 'no-cache',
    Vary: vary,
  });
  return (request) => {
    const known = headersIn(text.encodingFor(request));
    if (isKnown(request.headers['if-none-match'], known.ETag)) return { status: 304, headers: known };
    return text.responseTo(request, 200, (used) => ({ ...headersIn(used), 'Content-Type': contentType }));
  };
}

/** A cache may have weakened the ETag; weak comparison is sufficient here. */
function isKnown(header = '', etag: string): boolean {
  return header.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim()));
}

function routeTo(pages: ReadonlyMap<string, StaticPage>): Route {
  return (request) => {
    const page = pages.get(pathOf(request));
    if (page === undefined) return undefined;
    if (!isRead(request)) throw READ_ONLY;
    return () => page(request);
  };
}

const TEXT = 'text/plain; charset=utf-8';

export const SCHEMA_PATH = '/schema.graphql';

/**
 * The schema as SDL, for editors and code generators. Also served with trusted documents: they restrict what is run,
 * and the authors of such documents need the schema.
 */
export function createSchemaText(schema: GraphQLSchema, compression = new Compression()): Route {
  const page = createStaticPage(printSchema(schema), { contentType: TEXT, compression });
  return routeTo(new Map([[SCHEMA_PATH, page]]));
}

export const GRAPHCACHE_PATH = '/schema/graphcache.js';
export const APOLLO_PATH = '/schema/apollo.js';

const MODULE_PATHS = [GRAPHCACHE_PATH, '/schema/graphcache.d.ts', APOLLO_PATH, '/schema/apollo.d.ts'];

/**
 * ES modules that tell normalized caches of clients about the schema, with their types, to be downloaded into a
 * project. `npm run codegen` writes them; what was not built is not served.
 */
export function createClientModules(folder: URL, compression = new Compression()): Route {
  const pages = new Map<string, StaticPage>();
  for (const path of MODULE_PATHS) {
    const file = new URL(path.slice('/schema/'.length), folder);
    if (!existsSync(file)) continue;
    const contentType = path.endsWith('.js') ? 'text/javascript; charset=utf-8' : TEXT;
    pages.set(path, createStaticPage(readFileSync(file, 'utf8'), { contentType, compression }));
  }
  return routeTo(pages);
}
