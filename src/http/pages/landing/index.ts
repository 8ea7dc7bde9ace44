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
  // It names the host that it was asked under, and tells how the service is now.
  'Cache-Control': 'no-store',
  Vary: 'Accept, Accept-Encoding',
};

/** What this is, where its parts are, and whether the REST service answers: as HTML for browsers, else as text. */
export function createLanding(
  facts: LandingFacts,
  restState: () => Promise<RestState>,
  compression = new Compression(),
): Route {
  // The same for every visitor until the service is looked at again, so that it is mostly compressed already.
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

/** As the visitor reached it, perhaps through a proxy that took the TLS off; the handler has checked the host. */
function originOf({ headers }: IncomingMessage): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host ?? 'localhost'}`;
}
