import type { Compression } from '../http/compression.ts';
import { RequestError } from '../http/errors.ts';
import { prefersHtml } from '../http/negotiation.ts';
import { isRead, pathOf, policy, READ_ONLY, type Route } from './route.ts';
import { readFolder } from './static-page.ts';

export const DOCS_PATH = '/docs';
const FIRST_PAGE = `${DOCS_PATH}/getting-started`;

const POLICY = policy("script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'");

const NO_PAGE = new RequestError(404, 'NOT_FOUND', `This page does not exist. Start at ${DOCS_PATH}.`);
const NOT_BUILT = new RequestError(404, 'NOT_FOUND', 'The documentation is not built. Run `npm run build`.');

/** Serves the documentation: HTML for browsers, Markdown for other clients, and the files of the pages. */
export function createDocs(root: URL, hasGraphiql: boolean, compression: Compression): Route {
  const files = readFolder(root, POLICY, compression, hasGraphiql ? undefined : withoutGraphiql);
  return (request) => {
    const path = pathOf(request);
    if (path !== DOCS_PATH && !path.startsWith(`${DOCS_PATH}/`)) return undefined;
    if (!isRead(request)) throw READ_ONLY;
    if (files.size === 0) throw NOT_BUILT;
    const name = path.slice(DOCS_PATH.length + 1);
    if (name === '') return { status: 302, headers: { Location: FIRST_PAGE } };
    const isHtml = prefersHtml(request.headers.accept, ['text/plain', 'text/markdown']);
    const file = files.get(name) ?? files.get(`${name}.${isHtml ? 'html' : 'md'}`);
    if (file === undefined) throw NO_PAGE;
    return file(request);
  };
}

/** Removes the links to GraphiQL, which a gateway with only trusted documents does not have. */
function withoutGraphiql(html: string): string {
  const note = `<p>This gateway runs only <a href="${DOCS_PATH}/settings#trusted-documents">trusted documents</a>. It rejects the queries on these pages and has no GraphiQL.</p>`;
  return html.replace(/<a class="open".*?<\/a>/g, '').replace('</h1>', `</h1>\n${note}`);
}
