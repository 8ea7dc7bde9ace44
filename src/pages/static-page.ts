import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { type GraphQLSchema, printSchema } from 'graphql';
import { Compression, compress } from '../http/compression.ts';
import { PAGE_HEADERS, type PageResponse, pageAt, type ReadRequest, type Route } from './route.ts';

/** By the end of a file's name. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Pages are compressed once and sent often: at a smaller size than answers. */
const MIN_BYTES = 1_000;

/** Answers requests for a page that does not change while the process runs. A client that still has it gets a 304. */
function createStaticPage(name: string, content: string | Buffer, compression: Compression, headers = {}) {
  const body = Buffer.from(content);
  const type = CONTENT_TYPES[extname(name)] ?? 'text/plain; charset=utf-8';
  const hash = createHash('sha256').update(body).digest('base64url');
  const encoded = new Map<string, Promise<Buffer>>();
  const vary = /\.(html|md)$/.test(name) ? 'Accept, Accept-Encoding' : 'Accept-Encoding';

  return async ({ headers: asked }: ReadRequest): Promise<PageResponse> => {
    const encoding = compression.encodingFor(asked['accept-encoding'], body.length, MIN_BYTES);
    const known = asked['if-none-match'] ?? '';
    // A strong ETag identifies the exact bytes, so each encoding has its own.
    const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
    const sent = { ...PAGE_HEADERS, ...headers, ETag: etag, 'Cache-Control': 'no-cache', Vary: vary };
    // A cache may have weakened it; weak comparison is sufficient here.
    if (known.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim())))
      return { status: 304, headers: sent };
    const whole = { ...sent, 'Content-Type': type };
    if (!encoding) return { status: 200, headers: whole, body };
    const compressed = encoded.get(encoding) ?? compress(body, encoding);
    encoded.set(encoding, compressed);
    return { status: 200, headers: { ...whole, 'Content-Encoding': encoding }, body: await compressed };
  };
}

/** The pages and files of a built folder by their names, none if it was not built. HTML is changed as it is read. */
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

export const SCHEMA_PATH = '/schema.graphql';

/** As SDL, for editors and code generators. The authors of trusted documents need it too. */
export function createSchemaText(schema: GraphQLSchema, compression = new Compression()): Route {
  return pageAt(SCHEMA_PATH, createStaticPage(SCHEMA_PATH, printSchema(schema), compression));
}

export const CLIENT_MODULES = [
  ['/schema/apollo.js', 'Apollo Client'],
  ['/schema/graphcache.js', 'urql'],
] as const;

/** ES modules that tell caches of clients about the schema, for download, with their types. */
export function createClientModules(folder: URL, compression: Compression): Route[] {
  const modules = readFolder(folder, {}, compression);
  return [...modules].map(([name, page]) => pageAt(`/schema/${name}`, page));
}
