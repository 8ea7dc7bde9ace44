import { RequestError } from '../../http/errors.ts';
import { DOCS_PATH } from '../../pages/docs.ts';
import type { GatewayPlugin } from '../../request/context.ts';
import { attachBody } from '../../response/response-body.ts';
import type { GatewayState } from '../gateway-state.ts';
import { contain } from './use-request.ts';

type RequestPayload = Parameters<NonNullable<GatewayPlugin['onRequest']>>[0];

/**
 * Serves the pages of the gateway's own server, and refuses all paths but those of operations. Yoga's own landing page,
 * GraphiQL and health check are off: they take any address that ends in their path, and have no security headers.
 */
export function usePages({ endpoint, filePaths, routes }: GatewayState): GatewayPlugin {
  const files = Object.keys(filePaths);
  const docs = routes.length > 0 ? `, the documentation at ${DOCS_PATH}` : '';
  const notFound = new RequestError(
    404,
    'NOT_FOUND',
    `GraphQL is served at ${endpoint}, lists as files at ${files.join(' and ')} (Excel reads CSV)${docs}.`,
  );

  async function serve({ serverContext, fetchAPI, endResponse }: RequestPayload): Promise<void> {
    const { path, client, req } = serverContext;
    for (const route of routes) {
      const page = client && req && (await route(req));
      if (!page) continue;
      const { status, headers, body } = page;
      // In lower case, since the Headers of Yoga do not replace a name in another case.
      const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
      const response = new fetchAPI.Response(null, { status, headers: Object.fromEntries(named) });
      return endResponse(body ? attachBody(response, { whole: body, isPage: true }) : response);
    }
    if (path !== endpoint && !files.includes(path)) throw notFound;
  }

  return {
    onRequest(payload) {
      // All pages are read, and most requests are operations.
      const isOperation = payload.request.method === 'POST' && payload.serverContext.path === endpoint;
      return isOperation ? undefined : contain(() => serve(payload), payload, payload.endResponse);
    },
  };
}
