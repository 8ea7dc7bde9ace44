import { createHash } from 'node:crypto';
import { type GraphQLSchema, printSchema } from 'graphql';
import type { Encoding } from '../compression.ts';
import { Compression } from '../compression.ts';
import { PageText } from './page-text.ts';
import { isRead, PAGE_HEADERS, pathOf, type Route, varyOn } from './route.ts';

export const SCHEMA_PATH = '/schema.graphql';

/**
 * The schema as SDL, for editors and code generators. Also served with trusted documents: they restrict what is run,
 * and the authors of such documents need the schema.
 */
export function createSchemaText(schema: GraphQLSchema, compression = new Compression()): Route {
  const text = printSchema(schema);
  const page = new PageText(text, compression);
  const hash = createHash('sha256').update(text).digest('base64url');
  // Each encoding has its own strong ETag, because a strong ETag identifies the exact bytes.
  const etagIn = (encoding: Encoding | undefined) => `"${hash}${encoding ? `-${encoding}` : ''}"`;

  return (request, response) => {
    if (!isRead(request) || pathOf(request) !== SCHEMA_PATH) return false;
    const headersIn = (encoding: Encoding | undefined) => ({
      ...PAGE_HEADERS,
      ETag: etagIn(encoding),
      'Cache-Control': 'no-cache',
      Vary: varyOn(response, 'Accept-Encoding'),
    });
    const encoding = page.encodingFor(request);
    if (isKnown(request.headers['if-none-match'], etagIn(encoding))) {
      response.writeHead(304, headersIn(encoding)).end();
      return true;
    }
    return page.send(request, response, 200, (used) => ({
      ...headersIn(used),
      'Content-Type': 'text/plain; charset=utf-8',
    }));
  };
}

/** A cache may have weakened the ETag; weak comparison is sufficient here. */
function isKnown(header = '', etag: string): boolean {
  return header.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim()));
}
