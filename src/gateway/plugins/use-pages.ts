import { RequestError } from '../../http/errors.ts';
import { DOCS_PATH } from '../../pages/docs.ts';
import type { PageResponse } from '../../pages/route.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { errorResponse } from '../../response/json-response.ts';
import { attachBody } from '../../response/response-body.ts';
import type { GatewayState } from '../gateway-state.ts';

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

  /** The page that is asked for; undefined for operations. */
  async function find({ path, client, req }: GatewayContext): Promise<PageResponse | undefined> {
    for (const route of routes) {
      const page = client && req && route(req);
      if (page) return page;
    }
    if (path !== endpoint && !files.includes(path)) throw notFound;
    return undefined;
  }

  return {
    onRequest({ request, serverContext: context, fetchAPI, endResponse }) {
      // All pages are read, and most requests are operations.
      if (request.method === 'POST' && context.path === endpoint) return undefined;
      const send = (page: PageResponse | undefined) => {
        if (page === undefined) return;
        const { status, headers, body } = page;
        // In lower case, since the Headers of Yoga do not replace a name in another case.
        const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
        const response = new fetchAPI.Response(null, { status, headers: Object.fromEntries(named) });
        endResponse(
          body ? attachBody(response, { whole: body, bytes: body.length, isOwn: false }) : response,
        );
      };
      const refuse = (error: unknown) => endResponse(errorResponse(error, context, fetchAPI));
      return find(context).then(send).catch(refuse);
    },
  };
}
