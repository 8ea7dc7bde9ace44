import type { IncomingMessage } from 'node:http';
import { Compression } from '../../http/compression.ts';
import { memoizeLast, prefersHtml } from '../../http/negotiation.ts';
import type { RestState } from '../../rest/client/client.ts';
import { cspHash, PAGE_HEADERS, pageAt, policy, type Route, readOnlyError } from '../route.ts';
import { createPageText } from '../static-page.ts';
import type { StatusFor } from '../status.ts';
import { type LandingFacts, renderHtml, renderText, SCRIPT } from './contents.ts';
import { LANDING_STYLE } from './style.ts';

const STYLE = `style-src ${cspHash(LANDING_STYLE)}`;
const IMAGES = 'img-src data:';
const POLICY = policy(STYLE, IMAGES);
/** With the panel, the page also runs its script, which asks this server alone. */
const POLICY_WITH_PANEL = policy(STYLE, `script-src ${cspHash(SCRIPT)}`, "connect-src 'self'", IMAGES);

/** What the page shows of the present. */
export interface LandingState {
  readonly restState: () => Promise<RestState>;
  readonly statusFor: StatusFor;
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
  const pageOf = memoizeLast((text = '') => createPageText(text, compression));
  const responseTo = async (request: IncomingMessage) => {
    const [state, status] = await Promise.all([restState(), statusFor(request)]);
    const present = { facts, state, status, hasMetrics, origin: originOf(request) };
    const isHtml = prefersHtml(request.headers.accept, ['text/plain']);
    const page = pageOf(isHtml ? renderHtml(present) : renderText(present));
    const response = await page.responseTo(request, 200, () => ({
      ...PAGE_HEADERS,
      ...(status ? POLICY_WITH_PANEL : POLICY),
      // The page contains the request's host and the current state of the service.
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Encoding',
      'Content-Type': `text/${isHtml ? 'html' : 'plain'}; charset=utf-8`,
    }));
    // Another host makes another page.
    return { ...response, isOwnBody: true };
  };
  return pageAt('/', responseTo, readOnlyError(` Send GraphQL operations to ${facts.endpoint}.`));
}

/** The origin as seen by the client, possibly behind a TLS-terminating proxy; the handler has validated the host. */
function originOf({ headers }: IncomingMessage): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host ?? 'localhost'}`;
}
