import type { IncomingMessage } from 'node:http';
import type { RequestError } from '../http/errors.ts';
import { JSON_TYPE, prefersHtml, RESPONSE_JSON } from '../http/negotiation.ts';
import { LANDING_STYLE } from './landing/style.ts';
import { encoded, htmlDocument, ICON, type PageLink, renderPlaces } from './markup.ts';
import { cspHash, PAGE_HEADERS, type PageResponse, pathOf, policy, shortened } from './route.ts';

/** A page for a request that is refused; undefined for clients that read no HTML. */
export type ErrorPage = (request: IncomingMessage, error: RequestError) => PageResponse | undefined;

/** By code, or else by status. */
const TITLES: Readonly<Record<string, string>> = {
  TRUSTED_DOCUMENT_REQUIRED: 'Only trusted documents',
  400: 'Bad request',
  404: 'Not found',
  405: 'Method not allowed',
};

const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  ...policy(`style-src ${cspHash(LANDING_STYLE)}`, 'img-src data:'),
  'Cache-Control': 'no-store',
  Vary: 'Accept',
};

/** Tells a reader what is wrong, and links to what there is. */
export function createErrorPage(placesFor: (request: IncomingMessage) => readonly PageLink[]): ErrorPage {
  return (request, { status, code, message, headers }) => {
    if (!prefersHtml(request.headers.accept, [JSON_TYPE, RESPONSE_JSON, 'text/plain'])) return undefined;
    const path = pathOf(request);
    const title = TITLES[code] ?? TITLES[status] ?? `Error ${status}`;
    const where = status === 404 ? `There is nothing at <code>${encoded(shortened(path))}</code>. ` : '';
    // A link to the page itself would lead nowhere else.
    const places = placesFor(request).filter((place) => place.path !== path);
    const page = htmlDocument(
      `${title} – receivables-graphql`,
      `<style>${LANDING_STYLE}</style>`,
      `<main>
<header>${ICON}<h1>${encoded(title)}</h1></header>
<p class="lead">${where}${withCode(message)}</p>
${renderPlaces(places)}
</main>`,
    );
    return { status, headers: { ...HEADERS, ...headers }, body: Buffer.from(page), isOwnBody: true };
  };
}

/** What stands between backticks, and paths, as code. */
function withCode(message: string): string {
  return encoded(message).replace(
    /`([^`]+)`|(?<=\s)(\/[\w/.-]*\w)/g,
    (_, quoted: string | undefined, path: string) => `<code>${quoted ?? path}</code>`,
  );
}
