import { extname } from 'node:path';
import { Compression } from '../../http/compression.ts';
import { RequestError } from '../../http/errors.ts';
import { prefersHtml } from '../../http/negotiation.ts';
import { isRead, PAGE_HEADERS, pathOf, READ_ONLY, type Route } from '../route.ts';
import { StaticPage } from '../static-page.ts';
import {
  DOCS_PATH,
  type DocsSite,
  readDocsBuild,
  renderDocsPage,
  renderMissingPage,
  STYLE_NAME,
} from './html.ts';
import { DOCS_STYLE } from './style.ts';

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const VARY = 'Accept, Accept-Encoding';

const FILE_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

const PAGE_POLICY = policy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
);
/** A drawing that is opened on its own has its style within. */
const FILE_POLICY = policy("style-src 'unsafe-inline'");

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

/** The documentation: HTML for browsers, its Markdown for other clients, and the files that its pages load. */
export function createDocs(root: URL, site: DocsSite, compression = new Compression()): Route {
  const build = readDocsBuild(root);
  const { pages = [], files: built = new Map<string, Buffer>() } = build ?? {};
  const htmlPages = new Map(
    pages.map((page) => [
      page.name,
      new StaticPage(renderDocsPage(page, pages, site), {
        contentType: HTML,
        vary: VARY,
        headers: PAGE_POLICY,
        compression,
      }),
    ]),
  );
  const files = new Map([
    [STYLE_NAME, new StaticPage(DOCS_STYLE, { contentType: 'text/css; charset=utf-8', compression })],
    ...Array.from(built, ([name, body]): [string, StaticPage] => [name, filePage(name, body, compression)]),
    ...pages.flatMap(({ name, markdown }): [string, StaticPage][] => {
      const page = new StaticPage(markdown, { contentType: TEXT, vary: VARY, compression });
      // Also under the name of the file, as Markdown whatever the client accepts.
      return name === ''
        ? [[name, page]]
        : [
            [name, page],
            [`${name}.md`, page],
          ];
    }),
  ]);
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
    if (!isHtml) throw NO_PAGE;
    const body = Buffer.from(renderMissingPage(path, pages, site));
    return () => ({ status: 404, headers: missingHeaders, body, isOwnBody: true });
  };
}

function filePage(name: string, body: Buffer, compression: Compression): StaticPage {
  const contentType = FILE_TYPES[extname(name)] ?? 'application/octet-stream';
  return new StaticPage(body, {
    contentType,
    headers: FILE_POLICY,
    // A PNG is compressed already.
    compression: contentType === 'image/png' ? new Compression(false) : compression,
  });
}
