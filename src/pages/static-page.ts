import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { type GraphQLSchema, printSchema } from 'graphql';
import { Compression, compress } from '../http/compression.ts';
import { PAGE_HEADERS, type PageResponse, pageAt, type ReadRequest, type Route } from './route.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Smaller than for other responses, since a page is compressed once and sent often. */
const MIN_BYTES = 1_000;

/** Serves a page that does not change while the process runs, and 304 to a client that has it. */
function createStaticPage(name: string, content: string | Buffer, compression: Compression, headers = {}) {
  const body = Buffer.from(content);
  const type = CONTENT_TYPES[extname(name)] ?? 'text/plain; charset=utf-8';
  const hash = createHash('sha256').update(body).digest('base64url');
  const encoded = new Map<string, Promise<Buffer>>();
  const vary = /\.(html|md)$/.test(name) ? 'Accept, Accept-Encoding' : 'Accept-Encoding';

  return async ({ headers: requestHeaders }: ReadRequest): Promise<PageResponse> => {
    const encoding = compression.encodingFor(requestHeaders['accept-encoding'], body.length, MIN_BYTES);
    const clientEtags = requestHeaders['if-none-match'] ?? '';
    // A strong ETag identifies the exact bytes, so each encoding has its own.
    const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
    const sent = { ...PAGE_HEADERS, ...headers, ETag: etag, 'Cache-Control': 'no-cache', Vary: vary };
    // A cache may have weakened the tag: a weak comparison is enough.
    if (clientEtags.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim())))
      return { status: 304, headers: sent };
    const fullHeaders = { ...sent, 'Content-Type': type };
    if (!encoding) return { status: 200, headers: fullHeaders, body };
    const compressed = encoded.get(encoding) ?? compress(body, encoding);
    encoded.set(encoding, compressed);
    return { status: 200, headers: { ...fullHeaders, 'Content-Encoding': encoding }, body: await compressed };
  };
}

/** Returns the files of a built folder by name, none if it is not built. `change` applies to HTML. */
export function readFolder(
  root: URL,
  headers: OutgoingHttpHeaders,
  compression: Compression,
  change = (html: string) => html,
) {
  const names = existsSync(root) ? readdirSync(root) : [];
  return new Map(
    names.map((name) => {
      const content = readFileSync(new URL(name, root));
      const body = name.endsWith('.html') ? change(content.toString()) : content;
      return [name, createStaticPage(name, body, compression, headers)];
    }),
  );
}

/** Pages of any origin can read the schema, which no token protects. */
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

export const SCHEMA_PATH = '/schema.graphql';

/** Serves the schema as SDL, for editors and code generators, also with trusted documents. */
export function createSchemaText(schema: GraphQLSchema, compression = new Compression()): Route {
  return pageAt(SCHEMA_PATH, createStaticPage(SCHEMA_PATH, printSchema(schema), compression, ANY_ORIGIN));
}

export const CLIENT_MODULES = [
  ['/schema/apollo.js', 'Apollo Client'],
  ['/schema/graphcache.js', 'urql'],
] as const;

/** Serves ES modules with which clients' caches know the schema, with their types. */
export function createClientModules(folder: URL, compression: Compression): Route[] {
  const modules = readFolder(folder, ANY_ORIGIN, compression);
  return [...modules].map(([name, page]) => pageAt(`/schema/${name}`, page));
}
