import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Compression } from '../../http/compression.ts';
import { RequestError } from '../../http/errors.ts';
import { prefersHtml } from '../../http/negotiation.ts';
import { encoded, htmlDocument, ICON, PALETTE } from '../markup.ts';
import { isRead, PAGE_HEADERS, pathOf, policy, READ_ONLY, type Route, shortened } from '../route.ts';
import { CONTENT_TYPES, createStaticPage, type StaticPage } from '../static-page.ts';

export const DOCS_PATH = '/docs';
const STYLE_NAME = 'style.css';

/** What the pages tell of the gateway that serves them. */
interface DocsSite {
  readonly version: string;
  /** The path of GraphiQL; undefined where there is none. */
  readonly graphiql: string | undefined;
}

const HTML = {
  contentType: 'text/html; charset=utf-8',
  vary: 'Accept, Accept-Encoding',
  headers: policy("script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"),
};
const MARKDOWN = { contentType: 'text/plain; charset=utf-8', vary: HTML.vary };
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
  const files = new Map<string, StaticPage>();
  for (const [name, content] of built) {
    const body = name === STYLE_NAME ? PALETTE + content : content;
    const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
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

function renderDocsPage(page: DocsPage, pages: readonly DocsPage[], site: DocsSite): string {
  const title = page.name === '' ? page.title : `${page.title} – receivables-graphql`;
  const note = site.graphiql === undefined ? TRUSTED_NOTE : '';
  const sections = sectionList(page);
  // Again below the title, for a window that is too narrow for them in the navigation.
  const contents =
    sections && `<details class="contents"><summary>On this page</summary>${sections}</details>\n`;
  const html = withOpenLinks(page.html, site).replace(/(?<=<\/h1>\n)/, () => note + contents);
  return layout(title, html, navigation(pages, page), site);
}

function renderMissingPage(path: string, pages: readonly DocsPage[], site: DocsSite): string {
  const content = `<h1>No such page</h1>
<p>There is nothing at <code>${encoded(shortened(path))}</code>. Start at
<a href="${DOCS_PATH}">${DOCS_PATH}</a>, or choose a page from the menu.</p>
`;
  return layout('No such page – receivables-graphql', content, navigation(pages), site);
}

/** The build marks each operation, as what stands behind the `#` of a link that opens it. */
function withOpenLinks(html: string, { graphiql }: DocsSite): string {
  return html.replace(/<!--open (\S+)-->/g, (_mark, operation: string) =>
    graphiql === undefined
      ? ''
      : `<a href="${graphiql}#${encoded(operation)}" target="_blank" rel="noopener">Open in GraphiQL</a>`,
  );
}

/** Where there is no GraphiQL, since text is no way to send a query there. */
const TRUSTED_NOTE = `<blockquote>
<p>This gateway runs only <a href="${DOCS_PATH}/transport#trusted-documents">trusted documents</a>. It refuses the queries on
these pages, since they are sent as text, and it has no GraphiQL.</p>
</blockquote>
`;

/** The content is HTML of our own build. */
function layout(title: string, content: string, nav: string, { version, graphiql }: DocsSite): string {
  return htmlDocument(
    title,
    `<link rel="stylesheet" href="${DOCS_PATH}/${STYLE_NAME}">
<script type="module" src="${DOCS_PATH}/script.js"></script>`,
    `<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="name" href="/" title="Front page">${ICON}<span>receivables-graphql</span></a> <span class="version">${encoded(version)}</span>
<div class="places">${graphiql === undefined ? '' : `<a href="${graphiql}">GraphiQL</a>`}</div>
${SEARCH}
</header>
<div class="columns">
<nav aria-label="Documentation">
${nav}
</nav>
<main id="main" tabindex="-1">
${content}</main>
</div>`,
  );
}

/** Shown by the script. The results take the focus where they are clicked, so that they do not count as left. */
const SEARCH = `<form class="search" role="search" hidden>
<input type="search" aria-label="Search the documentation" aria-keyshortcuts="/" placeholder="Search (press /)" autocomplete="off" spellcheck="false">
<div class="results" tabindex="-1" hidden></div>
<p class="unseen" role="status"></p>
</form>`;

/** Links to all pages by their groups, and to the sections of the current one. */
function navigation(pages: readonly DocsPage[], current?: DocsPage): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups
    .map((group) => {
      const items = pages.filter((page) => page.group === group).map((page) => navigationItem(page, current));
      return `<p>${encoded(group)}</p>\n${listOf(items)}`;
    })
    .join('\n');
}

function navigationItem(page: DocsPage, current?: DocsPage): string {
  const path = page.name === '' ? DOCS_PATH : `${DOCS_PATH}/${page.name}`;
  const [mark, sections] = page === current ? [' aria-current="page"', sectionList(page)] : ['', ''];
  return `<a href="${path}"${mark}>${encoded(page.label)}</a>${sections}`;
}

function sectionList({ sections }: DocsPage): string {
  if (sections.length === 0) return '';
  return listOf(sections.map(({ id, text }) => `<a href="#${encoded(id)}">${encoded(text)}</a>`));
}

function listOf(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

/** A page as scripts/docs.mjs renders it. */
interface DocsPage {
  /** The last part of its path; empty for the first page. */
  readonly name: string;
  /** Its name in the navigation. */
  readonly label: string;
  readonly title: string;
  /** What the navigation lists it under. */
  readonly group: string;
  readonly sections: readonly { readonly id: string; readonly text: string }[];
  readonly html: string;
  readonly markdown: string;
}

const PAGES = 'pages.json';

/** The pages, and by file name the images, the script and the index of the search; undefined if nothing has been built. */
function readDocsBuild(root: URL) {
  try {
    const pages: readonly DocsPage[] = JSON.parse(readFileSync(new URL(PAGES, root), 'utf8'));
    const names = readdirSync(root).filter((name) => name !== PAGES);
    return { pages, files: names.map((name) => [name, readFileSync(new URL(name, root))] as const) };
  } catch {
    return undefined;
  }
}
