import type { IncomingMessage } from 'node:http';
import { Compression } from '../../http/compression.ts';
import { prefersHtml } from '../../http/negotiation.ts';
import type { RestState } from '../../rest/client/client.ts';
import { cspHash, isReadOf, PAGE_HEADERS, type Route, readOnlyBut } from '../route.ts';
import { PageText } from '../static-page.ts';
import type { StatusFor } from '../status.ts';
import { contentsOf, type LandingFacts } from './contents.ts';
import { renderHtml, renderText, SCRIPT } from './render.ts';
import { LANDING_STYLE } from './style.ts';

/** With the panel, the page also runs its script, which asks this server alone. */
function headersFor(hasPanel: boolean) {
  const policy = [
    "default-src 'none'",
    `style-src '${cspHash(LANDING_STYLE)}'`,
    ...(hasPanel ? [`script-src '${cspHash(SCRIPT)}'`, "connect-src 'self'"] : []),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    ...PAGE_HEADERS,
    'Content-Security-Policy': policy.join('; '),
    // The page contains the request's host and the current state of the service.
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Encoding',
  };
}

const HEADERS = headersFor(false);
const HEADERS_WITH_PANEL = headersFor(true);

/** What the page shows of the present. */
export interface LandingState {
  readonly restState: () => Promise<RestState>;
  readonly statusFor: StatusFor | undefined;
  /** Whether everybody who sees the page can read `/metrics`. */
  readonly hasMetrics: boolean;
}

/** The landing page: links, and how the gateway and the REST service are. HTML for browsers, text for other clients. */
export function createLanding(
  facts: LandingFacts,
  { restState, statusFor, hasMetrics }: LandingState,
  compression = new Compression(),
): Route {
  // The page is the same for all clients until the next probe or status, so it is usually compressed already.
  const refusal = readOnlyBut(facts.endpoint);
  let last: { readonly text: string; readonly page: PageText } | undefined;
  const pageOf = (text: string) => {
    if (last?.text !== text) last = { text, page: new PageText(text, compression) };
    return last.page;
  };
  return (request) => {
    if (!isReadOf('/', request, refusal)) return undefined;
    return async () => {
      const [state, status] = await Promise.all([restState(), statusFor?.(request)]);
      const contents = contentsOf({ facts, state, status, hasMetrics, origin: originOf(request) });
      const isHtml = prefersHtml(request.headers.accept, ['text/plain']);
      const page = pageOf(isHtml ? renderHtml(contents) : renderText(contents));
      const response = await page.responseTo(request, 200, {
        ...(status ? HEADERS_WITH_PANEL : HEADERS),
        'Content-Type': `text/${isHtml ? 'html' : 'plain'}; charset=utf-8`,
      });
      // Another host makes another page.
      return { ...response, isOwnBody: true };
    };
  };
}

/** The origin as seen by the client, possibly behind a TLS-terminating proxy; the handler has validated the host. */
function originOf({ headers }: IncomingMessage): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host ?? 'localhost'}`;
}
