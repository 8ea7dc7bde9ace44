import { createHash } from 'node:crypto';
import { type GraphQLSchema, printSchema } from 'graphql';
import { isRead, PAGE_HEADERS, type Page, pathOf } from './page.ts';

export const SCHEMA_PATH = '/schema.graphql';

/**
 * The schema as SDL, for editors and code generators. Trusted documents leave it open: they bound what is run, and
 * whoever is to write such a document needs the schema.
 */
export function createSchemaText(schema: GraphQLSchema): Page {
  const text = printSchema(schema);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const headers = { ...PAGE_HEADERS, ETag: etag, 'Cache-Control': 'no-cache' };
  const typed = {
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  };

  return (request, response) => {
    if (!isRead(request) || pathOf(request) !== SCHEMA_PATH) return false;
    if (isKnown(request.headers['if-none-match'], etag)) response.writeHead(304, headers).end();
    else response.writeHead(200, typed).end(text);
    return true;
  };
}

/** A cache may have marked the tag as weak, which means the same here. */
function isKnown(header = '', etag: string): boolean {
  return header.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim()));
}
