import { RequestError } from '../http/errors.ts';
import { DOCS_PATH } from '../pages/docs.ts';
import type { RequestPayload } from '../request/context.ts';
import type { WrittenResponse } from '../request/exchange.ts';
import type { Cors } from './cors.ts';
import type { GatewayState } from './gateway-state.ts';

/**
 * Returns a function that responds to requests other than operations: preflights, the pages of the gateway's own server,
 * and unknown paths. Yoga's landing page, GraphiQL and health check are off: they match any path that ends in theirs, and
 * send no security headers.
 */
export function createPageHandler({ endpoint, filePaths, routes }: GatewayState, cors: Cors) {
  const docs = routes.length > 0 ? `, the documentation at ${DOCS_PATH}` : '';
  const notFound = new RequestError(
    404,
    'NOT_FOUND',
    `GraphQL is served at ${endpoint}, lists as files at ${Object.keys(filePaths).join(' and ')} (Excel reads CSV)${docs}.`,
  );
  return async ({ request, serverContext: { exchange }, endResponse, fetchAPI }: RequestPayload) => {
    const { path, client } = exchange;
    const respond = (written: WrittenResponse) => endResponse(exchange.makeResponse(written, fetchAPI));
    const preflight = cors.handlePreflight(request.method, exchange);
    if (preflight) return respond(preflight);
    for (const route of routes) {
      const page = client && (await route(client.res.req));
      if (!page) continue;
      const { status, headers, body } = page;
      // Yoga's Headers do not replace a header whose name differs in case, so use lower case.
      const lowercased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
      return respond({ status, headers: Object.fromEntries(lowercased), body: null, page: body });
    }
    if (path !== endpoint && !filePaths[path]) throw notFound;
  };
}
