import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Compression, Encoding } from '../http/compression.ts';
import { PageText } from './page-text.ts';
import { PAGE_HEADERS, type PageResponse } from './route.ts';

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
