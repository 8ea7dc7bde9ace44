import type { IncomingHttpHeaders } from 'node:http';
import { useCORS } from '@whatwg-node/server';
import { exportPaths } from '../../export/export-request.ts';
import { NO_STORE, RequestError } from '../../http/errors.ts';
import { pathOf } from '../../pages/route.ts';
import { SCHEMA_PATH } from '../../pages/static-page.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { errorResponse } from '../../response/errors.ts';
import type { RequestTelemetry } from '../../telemetry/telemetry.ts';

/** For a preflight that requests no headers, or invalid header names. */
const KNOWN_HEADERS = [
  'Authorization',
  'Cache-Control',
  'Content-Type',
  'Last-Event-ID',
  'X-Client-Authorization',
  'X-Explain',
  'X-Request-Id',
];
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
/** Longer than any list a browser sends. */
const MAX_HEADERS_LENGTH = 1_000;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

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
  readonly telemetry: Pick<RequestTelemetry, 'originRefused'>;
}

/**
 * Yoga's CORS for pages of the allowed origins, at the paths of operations and of the schema. On its own, that would
 * answer every OPTIONS by 204 whatever its path and origin, and not tell caches that responses depend on the origin.
 * Cookies are not used, so credentials are never allowed: a page must hold a token itself.
 */
export function useStrictCors(options: CorsOptions): GatewayPlugin {
  const { origins, allowsLocalPages, endpoint, telemetry } = options;
  const readable = [endpoint, ...Object.keys(exportPaths(endpoint)), SCHEMA_PATH];
  const isReadable = (url: string) => {
    const path = pathOf({ url });
    return readable.includes(path) || path.startsWith(SCHEMA_FILES);
  };
  const allowsLocal = allowsLocalPages && origins.length === 0;
  const isAllowed = (origin: string) => (allowsLocal ? LOCAL_PAGE.test(origin) : origins.includes(origin));
  const isAllowedToRead = ({ url, headers }: Request) =>
    isAllowed(headers.get('origin') ?? '') && isReadable(url);
  const cors = useCORS<GatewayContext>((request) => isAllowedToRead(request) && corsOptions(request));
  const plugin: GatewayPlugin = {
    onRequest(payload) {
      const { request, serverContext, fetchAPI, endResponse } = payload;
      const { headers } = serverContext;
      if (headers.origin === undefined || !isReadable(request.url)) return undefined;
      if (isAllowed(headers.origin)) return cors.onRequest?.(payload);
      if (!isFromOwnPage(headers)) telemetry.originRefused(headers.origin);
      if (request.method === 'OPTIONS' && headers['access-control-request-method'] !== undefined)
        endResponse(errorResponse(PREFLIGHT_REFUSED, request, serverContext, fetchAPI));
      return undefined;
    },
  };
  if (origins.length === 0 && !allowsLocal) return plugin;
  return {
    ...plugin,
    async onResponse(payload) {
      await cors.onResponse?.(payload);
      const { request, response } = payload;
      const { headers } = response;
      if (!isReadable(request.url)) return;
      appendTo(headers, 'Vary', 'Origin');
      if (!isAllowedToRead(request)) return;
      if (request.method === 'OPTIONS') {
        headers.set('Cache-Control', NO_STORE);
        appendTo(headers, 'Vary', 'Access-Control-Request-Headers');
      }
      // Where a page of the request's origin may read responses, its preflight is answered too.
      else if (headers.has('allow')) appendTo(headers, 'Allow', 'OPTIONS');
    },
  };
}

/** Browsers send `Origin` with every POST, also from GraphiQL; those that send `Sec-Fetch-Site` know best. */
function isFromOwnPage({ origin = '', host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === undefined ? origin.replace(/^https?:\/\//, '') === host : site === 'same-origin';
}

function corsOptions({ method, headers }: Request) {
  const origin = [headers.get('origin') ?? ''];
  const options = { origin, credentials: false, exposedHeaders: EXPOSED_HEADERS };
  if (method !== 'OPTIONS') return options;
  const allowedHeaders = allowedHeadersFor(headers.get('access-control-request-headers') ?? '');
  return { ...options, methods: ['GET', 'POST'], allowedHeaders, maxAge: 600 };
}

/** Allows every header that a listed page requests, such as those of tracing; `*` would not cover `Authorization`. */
export function allowedHeadersFor(requested: string): string[] {
  if (requested.length > MAX_HEADERS_LENGTH) return KNOWN_HEADERS;
  const names = requested.split(',').map((name) => name.trim());
  return names.every((name) => TOKEN.test(name)) ? names : KNOWN_HEADERS;
}

function appendTo(headers: Headers, name: string, value: string): void {
  const given = headers.get(name);
  headers.set(name, given ? `${given}, ${value}` : value);
}
