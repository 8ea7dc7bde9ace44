import { useCORS } from '@whatwg-node/server';
import { exportPaths } from '../../export/export-request.ts';
import { NO_STORE, RequestError } from '../../http/errors.ts';
import { pathOf } from '../../pages/route.ts';
import { SCHEMA_PATH } from '../../pages/static-page.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { errorResponse } from '../../response/errors.ts';

const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Last-Event-ID',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];

/** Nobody but a developer reads it, in the network panel of the browser. */
const PREFLIGHT_REFUSED = new RequestError(
  403,
  'FORBIDDEN',
  'Pages of this origin may not read responses. To allow them, add the origin to CORS_ORIGINS of the gateway.',
);

/** What is generated from the schema. */
const SCHEMA_FILES = '/schema/';

/** Pages of this machine, on any port. */
const LOCAL_PAGE = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

interface CorsOptions {
  readonly origins: readonly string[];
  /** Whether pages of this machine may read responses if no origins are listed. */
  readonly allowsLocalPages: boolean;
  readonly endpoint: string;
}

/**
 * Yoga's CORS for pages of the allowed origins, at the paths of operations and of the schema. On its own, that would
 * answer every OPTIONS by 204 whatever its path and origin, and not tell caches that responses depend on the origin.
 * Cookies are not used, so credentials are never allowed: a page must hold a token itself.
 */
export function useStrictCors({ origins, allowsLocalPages, endpoint }: CorsOptions): GatewayPlugin {
  const allowsLocal = allowsLocalPages && origins.length === 0;
  const isAllowed = (origin: string) => (allowsLocal ? LOCAL_PAGE.test(origin) : origins.includes(origin));
  const readable = [endpoint, ...Object.keys(exportPaths(endpoint)), SCHEMA_PATH];
  const isReadable = (request: Request) => {
    const path = pathOf(request);
    return readable.includes(path) || path.startsWith(SCHEMA_FILES);
  };
  const cors = useCORS<GatewayContext>((request) => {
    const origin = request.headers.get('origin') ?? '';
    if (!isAllowed(origin) || !isReadable(request)) return false;
    // Without `allowedHeaders`, each header that the preflight names is allowed, such as those of tracing.
    return {
      origin,
      credentials: false,
      methods: ['GET', 'POST'],
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 600,
    };
  });
  const plugin: GatewayPlugin = {
    onRequest(payload) {
      const { request, serverContext, fetchAPI, endResponse } = payload;
      const { origin, 'access-control-request-method': asked } = serverContext.headers;
      if (origin === undefined || !isReadable(request)) return undefined;
      if (isAllowed(origin)) return cors.onRequest?.(payload);
      if (request.method === 'OPTIONS' && asked !== undefined)
        endResponse(errorResponse(PREFLIGHT_REFUSED, serverContext, fetchAPI));
      return undefined;
    },
  };
  if (origins.length === 0 && !allowsLocal) return plugin;
  return {
    ...plugin,
    async onResponse(payload) {
      const { request, response, serverContext } = payload;
      if (!isReadable(request)) return;
      const { headers } = response;
      const { origin } = serverContext.headers;
      const isRead = origin !== undefined && isAllowed(origin);
      if (isRead) await cors.onResponse?.(payload);
      headers.append('Vary', 'Origin');
      if (!isRead) return;
      if (request.method === 'OPTIONS') headers.set('Cache-Control', NO_STORE);
      // Where a page of the request's origin may read responses, its preflight is answered too.
      else if (headers.has('allow')) headers.append('Allow', 'OPTIONS');
    },
  };
}
