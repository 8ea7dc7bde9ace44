import { NO_STORE, RequestError } from '../http/errors.ts';
import type { Exchange, WrittenResponse } from '../request/exchange.ts';
import type { GatewayState } from './gateway-state.ts';

export type Cors = ReturnType<typeof createCors>;

const EXPOSED_HEADERS =
  'Content-Disposition, ETag, Last-Event-ID, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, X-Explain, X-Request-Id';

/** Nobody but a developer reads it, in the network panel of the browser. */
const PREFLIGHT_REFUSED = new RequestError(
  403,
  'FORBIDDEN',
  'Pages of this origin may not read responses. To allow them, add the origin to CORS_ORIGINS of the gateway.',
);

/** Pages of this machine, on any port. */
const LOCAL_PAGE = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Lets pages of the allowed origins read responses, at the paths of operations and of the schema. Cookies are not used, so
 * credentials are never allowed: a page must hold a token itself. Yoga's own CORS would answer every OPTIONS by 204
 * whatever its path and origin, and not tell caches that responses depend on the origin.
 */
export function createCors({ corsOrigins = [], allowsLocalPages, endpoint, filePaths }: GatewayState) {
  const allowsLocal = allowsLocalPages && corsOrigins.length === 0;
  const isAllowed = (origin: string) =>
    allowsLocal ? LOCAL_PAGE.test(origin) : corsOrigins.includes(origin);
  const operations = [endpoint, ...Object.keys(filePaths)];
  // The schema, and what is generated from it, too.
  const isReadable = ({ path }: Exchange) => operations.includes(path) || /^\/schema[./]/.test(path);
  const isOff = corsOrigins.length === 0 && !allowsLocal;

  return {
    /** Lets a page of the request's origin read the response, if it is allowed. */
    allow(headers: Headers, exchange: Exchange): void {
      if (isOff || !isReadable(exchange)) return;
      headers.append('Vary', 'Origin');
      const { origin } = exchange.headers;
      if (origin === undefined || !isAllowed(origin)) return;
      headers.set('Access-Control-Allow-Origin', origin);
      headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      // Where a page of the request's origin may read responses, its preflight is answered too.
      if (headers.has('allow')) headers.append('Allow', 'OPTIONS');
    },
    /** Undefined for what is no preflight. */
    answerPreflight(method: string, exchange: Exchange): WrittenResponse | undefined {
      // With the headers that the preflight names, such as those of tracing.
      const { origin, 'access-control-request-headers': names } = exchange.headers;
      if (method !== 'OPTIONS' || origin === undefined || !isReadable(exchange)) return undefined;
      if (!isAllowed(origin)) throw PREFLIGHT_REFUSED;
      const headers: Record<string, string> = {
        'access-control-allow-methods': 'GET, POST',
        'access-control-max-age': '600',
        'cache-control': NO_STORE,
        vary: 'Access-Control-Request-Headers',
        ...(names && { 'access-control-allow-headers': names }),
      };
      return { status: 204, headers, body: null };
    },
  };
}
