import { extname } from 'node:path';
import { Compression } from '../../http/compression.ts';
import { prefersHtml } from '../../http/negotiation.ts';
import { RequestError } from '../../http/request-error.ts';
import { PageText } from '../page-text.ts';
import { isRead, PAGE_HEADERS, pathOf, READ_ONLY, type Route } from '../route.ts';
import { StaticPage } from '../static-page.ts';
import { readDocsBuild } from './build.ts';
import { DOCS_PATH, renderDocsPage, renderMissingPage, STYLE_NAME } from './html.ts';
import { STYLE } from './style.ts';

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const VARY = 'Accept, Accept-Encoding';

const IMAGE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

const PAGE_POLICY = policy("style-src 'self'", "img-src 'self' data:");
/** A drawing that is opened on its own has its style within. */
const IMAGE_POLICY = policy("style-src 'unsafe-inline'");

function policy(...allowed: readonly string[]) {
  const directives = ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'"];
  return { 'Content-Security-Policy': [...directives, "frame-ancestors 'none'"].join('; ') };
}

const NO_PAGE = new RequestError(404, 'NOT_FOUND', `There is no such page: begin at ${DOCS_PATH}.`);
const NOT_BUILT = new RequestError(
  404,
  'NOT_FOUND',
  'The documentation has not been built: run `npm run build` and start the gateway again.',
);

/** The documentation: HTML for browsers, its Markdown for other clients, and the images that it shows. */
export function createDocs(root: URL, version: string, compression = new Compression()): Route {
  const build = readDocsBuild(root);
  const { pages = [], images = new Map<string, Buffer>() } = build ?? {};
  const htmlPages = new Map(
    pages.map((page) => [
      page.name,
      new StaticPage(renderDocsPage(page, pages, version), {
        contentType: HTML,
        vary: VARY,
        headers: PAGE_POLICY,
        compression,
      }),
    ]),
  );
  const files = new Map([
    [STYLE_NAME, new StaticPage(STYLE, { contentType: 'text/css; charset=utf-8', compression })],
    ...Array.from(images, ([name, image]): [string, StaticPage] => [
      name,
      imagePage(name, image, compression),
    ]),
    ...pages.flatMap(({ name, markdown }): [string, StaticPage][] => {
      const page = new StaticPage(markdown, { contentType: TEXT, vary: VARY, compression });
      // Also under the name of the file, which is where the links of the Markdown lead.
      return name === ''
        ? [[name, page]]
        : [
            [name, page],
            [`${name}.md`, page],
          ];
    }),
  ]);
  const missing = new PageText(renderMissingPage(pages, version), compression);
  const missingHeaders = {
    ...PAGE_HEADERS,
    ...PAGE_POLICY,
    'Content-Type': HTML,
    'Cache-Control': 'no-store',
    Vary: VARY,
  };

  return (request) => {
    const path = pathOf(request);
    if (path !== DOCS_PATH && !path.startsWith(`${DOCS_PATH}/`)) return undefined;
    if (!isRead(request)) throw READ_ONLY;
    if (build === undefined) throw NOT_BUILT;
    const name = path.slice(DOCS_PATH.length + 1);
    const isHtml = prefersHtml(request.headers.accept, ['text/plain', 'text/markdown']);
    const page = (isHtml && htmlPages.get(name)) || files.get(name);
    if (page) return () => page.responseTo(request);
    if (isHtml) return () => missing.responseTo(request, 404, missingHeaders);
    throw NO_PAGE;
  };
}

function imagePage(name: string, image: Buffer, compression: Compression): StaticPage {
  const contentType = IMAGE_TYPES[extname(name)] ?? 'application/octet-stream';
  return new StaticPage(image, {
    contentType,
    headers: IMAGE_POLICY,
    // A PNG is compressed already.
    compression: contentType === 'image/png' ? new Compression(false) : compression,
  });
}
