import { NO_STORE, RequestError } from '../http/errors.ts';
import type { Exchange, WrittenResponse } from '../request/exchange.ts';
import type { GatewayState } from './gateway-state.ts';

export type Cors = ReturnType<typeof createCors>;

const EXPOSED_HEADERS =
  'Content-Disposition, ETag, Last-Event-ID, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, X-Explain, X-Request-Id';

/** Only visible in the network panel of a browser. */
const PREFLIGHT_REJECTED = new RequestError(
  403,
  'FORBIDDEN',
  'Pages of this origin may not read responses. To allow them, add the origin to CORS_ORIGINS of the gateway.',
);

/** Matches the origins of this machine, on any port. */
const LOCAL_PAGE = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Lets pages of allowed origins read responses, at the paths of operations and of the schema. Pages send tokens, not
 * cookies, so credentials are never allowed. Yoga's CORS would respond to every OPTIONS with 204, whatever its path and
 * origin, and leave `Vary: Origin` out.
 */
export function createCors({ corsOrigins = [], allowsLocalPages, endpoint, filePaths }: GatewayState) {
  const isLocalAllowed = allowsLocalPages && corsOrigins.length === 0;
  const isAllowed = (origin: string) =>
    isLocalAllowed ? LOCAL_PAGE.test(origin) : corsOrigins.includes(origin);
  const operationPaths = [endpoint, ...Object.keys(filePaths)];
  // The second pattern matches the schema and modules generated from it.
  const isReadable = ({ path }: Exchange) => operationPaths.includes(path) || /^\/schema[./]/.test(path);
  const isDisabled = corsOrigins.length === 0 && !isLocalAllowed;

  return {
    /** Adds the headers of CORS to a response. */
    allow(headers: Headers, exchange: Exchange): void {
      if (isDisabled || !isReadable(exchange)) return;
      headers.append('Vary', 'Origin');
      const { origin } = exchange.headers;
      if (origin === undefined || !isAllowed(origin)) return;
      headers.set('Access-Control-Allow-Origin', origin);
      headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      // Preflights of this origin are handled too.
      if (headers.has('allow')) headers.append('Allow', 'OPTIONS');
    },
    /** Returns the response to a preflight, or undefined for another request. */
    handlePreflight(method: string, exchange: Exchange): WrittenResponse | undefined {
      // Any header is allowed, such as those of tracing.
      const { origin, 'access-control-request-headers': names } = exchange.headers;
      if (method !== 'OPTIONS' || origin === undefined || !isReadable(exchange)) return undefined;
      if (!isAllowed(origin)) throw PREFLIGHT_REJECTED;
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
