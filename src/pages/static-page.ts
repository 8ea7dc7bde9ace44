import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { type GraphQLSchema, printSchema } from 'graphql';
import { CompressedBodies, Compression, type Encoding } from '../http/compression.ts';
import { ownerAt } from '../limits/owner.ts';
import { PAGE_HEADERS, type PageResponse, pageAt, type Route } from './route.ts';

/** By the end of a file's name. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Pages are compressed once and sent often, so compression pays off at a smaller size than for responses. */
const MIN_BYTES = 1_000;

/** A body that is sent many times: compressed once per requested encoding. */
export function createPageText(text: string | Buffer, compression: Compression) {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const bodies = new CompressedBodies();

  /** The encoding that a request will get, unless too many compressions are in flight. */
  function encodingFor({ headers }: IncomingMessage): Encoding | undefined {
    return compression.encodingFor(headers['accept-encoding'], body.length, MIN_BYTES);
  }

  /** The response for a request; headers may depend on the encoding used. */
  async function responseTo(
    request: IncomingMessage,
    status: number,
    headersIn: (encoding: Encoding | undefined) => OutgoingHttpHeaders,
  ): Promise<PageResponse> {
    const encoding = encodingFor(request);
    const owner = ownerAt(request.socket.remoteAddress);
    const compress = (used: Encoding) => compression.compress([body], used, owner);
    const compressed = encoding && (await bodies.getOrCreate(encoding, () => compress(encoding)));
    if (!compressed) return { status, headers: headersIn(undefined), body };
    return { status, headers: { ...headersIn(encoding), 'Content-Encoding': encoding }, body: compressed };
  }

  return { encodingFor, responseTo };
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
  const text = createPageText(body, compression);
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

const TEXT = 'text/plain; charset=utf-8';

export const SCHEMA_PATH = '/schema.graphql';

/** As SDL, for editors and code generators. The authors of trusted documents need it too. */
export function createSchemaText(schema: GraphQLSchema, compression = new Compression()): Route {
  return pageAt(SCHEMA_PATH, createStaticPage(printSchema(schema), { contentType: TEXT, compression }));
}

export const GRAPHCACHE_PATH = '/schema/graphcache.js';
export const APOLLO_PATH = '/schema/apollo.js';

const MODULE_PATHS = [GRAPHCACHE_PATH, '/schema/graphcache.d.ts', APOLLO_PATH, '/schema/apollo.d.ts'];

/** ES modules that tell caches of clients about the schema, for download. What was not built is not served. */
export function createClientModules(folder: URL, compression = new Compression()): Route[] {
  return MODULE_PATHS.flatMap((path) => {
    const file = new URL(path.slice('/schema/'.length), folder);
    const contentType = CONTENT_TYPES[extname(path)] ?? TEXT;
    if (!existsSync(file)) return [];
    return pageAt(path, createStaticPage(readFileSync(file, 'utf8'), { contentType, compression }));
  });
}
