import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Compression, Encoding } from '../compression.ts';
import { PageText } from './page-text.ts';
import { PAGE_HEADERS, varyOn } from './route.ts';

export interface StaticPageOptions {
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

  send(request: IncomingMessage, response: ServerResponse): true | Promise<true> {
    const { contentType, vary = 'Accept-Encoding', headers } = this.#options;
    const headersIn = (encoding: Encoding | undefined) => ({
      ...PAGE_HEADERS,
      ...headers,
      ETag: this.#etagIn(encoding),
      'Cache-Control': 'no-cache',
      Vary: varyOn(response, vary),
    });
    const encoding = this.#text.encodingFor(request);
    if (isKnown(request.headers['if-none-match'], this.#etagIn(encoding))) {
      response.writeHead(304, headersIn(encoding)).end();
      return true;
    }
    return this.#text.send(request, response, 200, (used) => ({
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
