import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RestState } from '../../../rest/client/client.ts';
import { Compression } from '../../compression.ts';
import { prefersHtml } from '../../negotiation.ts';
import { PageText } from '../page-text.ts';
import { isRead, PAGE_HEADERS, pathOf, type Route } from '../route.ts';
import { contentsOf, type LandingFacts } from './contents.ts';
import { renderHtml } from './html.ts';
import { STYLE } from './style.ts';
import { renderText } from './text.ts';

const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The page contains the request's host and the current state of the service.
  'Cache-Control': 'no-store',
  Vary: 'Accept, Accept-Encoding',
};

/** The landing page: links, and the state of the REST service. HTML for browsers, text for other clients. */
export function createLanding(
  facts: LandingFacts,
  restState: () => Promise<RestState>,
  compression = new Compression(),
): Route {
  // The page is the same for all clients until the next probe, so it is usually compressed already.
  let last: { readonly text: string; readonly page: PageText } | undefined;
  const pageOf = (text: string) => {
    if (last?.text !== text) last = { text, page: new PageText(text, compression) };
    return last.page;
  };
  return (request, response) => {
    if (!isRead(request) || pathOf(request) !== '/') return false;
    return restState().then((state) => {
      const contents = contentsOf(facts, state, originOf(request));
      const isHtml = prefersHtml(request.headers.accept, ['text/plain']);
      return pageOf(isHtml ? renderHtml(contents) : renderText(contents)).send(request, response, 200, {
        ...HEADERS,
        'Content-Type': `text/${isHtml ? 'html' : 'plain'}; charset=utf-8`,
      });
    });
  };
}

/** The origin as seen by the client, possibly behind a TLS-terminating proxy; the handler has validated the host. */
function originOf({ headers }: IncomingMessage): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host ?? 'localhost'}`;
}
