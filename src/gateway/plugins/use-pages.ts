import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { exportPaths } from '../../export/export-request.ts';
import { RequestError } from '../../http/errors.ts';
import { attachBody } from '../../http/response-body.ts';
import { DOCS_PATH } from '../../pages/docs.ts';
import { type PageResponse, pathOf, type Respond, type Route } from '../../pages/route.ts';
import type { GatewayPlugin } from '../../request/context.ts';
import { errorResponse } from '../../response/errors.ts';

interface PagesOptions {
  readonly endpoint: string;
  readonly routes: readonly Route[];
}

/**
 * Serves the pages of the gateway's own server, and refuses all paths but those of operations. Yoga's own landing page,
 * GraphiQL and health check are off: they take any address that ends in their path, and have no security headers.
 */
export function usePages({ endpoint, routes }: PagesOptions): GatewayPlugin {
  const filePaths = Object.keys(exportPaths(endpoint));
  const operationPaths = [endpoint, ...filePaths];
  const docs = routes.length > 0 ? `, the documentation at ${DOCS_PATH}` : '';
  const notFound = new RequestError(
    404,
    'NOT_FOUND',
    `GraphQL is served at ${endpoint}, lists as files at ${filePaths.join(' and ')}${docs}.`,
  );

  /** How a request is answered; undefined for operations. */
  function find(request: Request, page: IncomingMessage | undefined): Respond | undefined {
    try {
      for (const route of routes) {
        const respond = page && route(page);
        if (respond) return respond;
      }
      if (operationPaths.includes(pathOf(request))) return undefined;
    } catch (error) {
      return () => Promise.reject(error);
    }
    return () => undefined;
  }

  return {
    onRequest({ request, serverContext: context, fetchAPI, endResponse }) {
      const { req, client } = context;
      // All pages are read, and most requests are operations.
      if (request.method === 'POST' && pathOf(request) === endpoint) return undefined;
      const respond = find(request, client && req);
      if (respond === undefined) return undefined;
      const send = (page: PageResponse | undefined) => {
        if (page === undefined) throw notFound;
        const { status, headers, body, isOwnBody = false } = page;
        const response = new fetchAPI.Response(null, { status, headers: textHeaders(headers) });
        if (body) attachBody(response, { bytes: body, isOwn: isOwnBody });
        endResponse(response);
      };
      const refuse = (error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        endResponse(errorResponse(error, context, fetchAPI));
      };
      return Promise.resolve().then(respond).then(send).catch(refuse);
    },
  };
}

/** In lower case, since the Headers of Yoga do not replace a name in another case. */
function textHeaders(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
