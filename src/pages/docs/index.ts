import { extname } from 'node:path';
import { Compression } from '../../http/compression.ts';
import { RequestError } from '../../http/errors.ts';
import { prefersHtml } from '../../http/negotiation.ts';
import { isRead, PAGE_HEADERS, pathOf, policy, READ_ONLY, type Route } from '../route.ts';
import { createStaticPage, type StaticPage } from '../static-page.ts';
import {
  DOCS_PATH,
  type DocsSite,
  readDocsBuild,
  renderDocsPage,
  renderMissingPage,
  STYLE_NAME,
} from './html.ts';
import { DOCS_STYLE } from './style.ts';

const HTML = {
  contentType: 'text/html; charset=utf-8',
  vary: 'Accept, Accept-Encoding',
  headers: policy("script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"),
};
const MARKDOWN = { contentType: 'text/plain; charset=utf-8', vary: HTML.vary };
const STYLE = { contentType: 'text/css; charset=utf-8' };

const FILE_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
/** A drawing that is opened on its own has its style within. */
const FILE_POLICY = policy("style-src 'unsafe-inline'");

const MISSING_HEADERS = {
  ...PAGE_HEADERS,
  ...HTML.headers,
  'Content-Type': HTML.contentType,
  'Cache-Control': 'no-store',
  Vary: HTML.vary,
};

const NO_PAGE = new RequestError(404, 'NOT_FOUND', `There is no such page: begin at ${DOCS_PATH}.`);
const NOT_BUILT = new RequestError(
  404,
  'NOT_FOUND',
  'The documentation has not been built: run `npm run build` and start the gateway again.',
);

/** The documentation: HTML for browsers, its Markdown for other clients, and the files that its pages load. */
export function createDocs(root: URL, site: DocsSite, compression = new Compression()): Route {
  const build = readDocsBuild(root);
  const { pages, files: built } = build ?? { pages: [], files: [] };
  const htmlPages = new Map<string, StaticPage>();
  const files = new Map([[STYLE_NAME, createStaticPage(DOCS_STYLE, { ...STYLE, compression })]]);
  for (const [name, body] of built) {
    const contentType = FILE_TYPES[extname(name)] ?? 'application/octet-stream';
    // A PNG is compressed already.
    const used = contentType === 'image/png' ? new Compression(false) : compression;
    files.set(name, createStaticPage(body, { contentType, headers: FILE_POLICY, compression: used }));
  }
  for (const page of pages) {
    const { name } = page;
    htmlPages.set(name, createStaticPage(renderDocsPage(page, pages, site), { ...HTML, compression }));
    const markdown = createStaticPage(page.markdown, { ...MARKDOWN, compression });
    files.set(name, markdown);
    // Also under the name of the file, as Markdown whatever the client accepts.
    if (name !== '') files.set(`${name}.md`, markdown);
  }

  return (request) => {
    const path = pathOf(request);
    if (path !== DOCS_PATH && !path.startsWith(`${DOCS_PATH}/`)) return undefined;
    if (!isRead(request)) throw READ_ONLY;
    if (build === undefined) throw NOT_BUILT;
    const name = path.slice(DOCS_PATH.length + 1);
    const isHtml = prefersHtml(request.headers.accept, ['text/plain', 'text/markdown']);
    const page = (isHtml && htmlPages.get(name)) || files.get(name);
    if (page) return () => page(request);
    if (!isHtml) throw NO_PAGE;
    const body = Buffer.from(renderMissingPage(path, pages, site));
    return () => ({ status: 404, headers: MISSING_HEADERS, body, isOwnBody: true });
  };
}
