import { useCORS } from '@whatwg-node/server';
import { exportPaths } from '../export/request.ts';
import { NO_STORE } from '../http/error-answer.ts';
import { pathOf } from '../pages/route.ts';
import { SCHEMA_PATH } from '../pages/schema-text.ts';
import type { GatewayContext, GatewayPlugin } from './context.ts';

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
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];
/** Longer than any list a browser sends. */
const MAX_HEADERS_LENGTH = 1_000;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Yoga's CORS for pages of the listed origins, at the endpoint, the paths of exports and the schema. On its own, that
 * would answer every OPTIONS by 204 whatever its path and origin, and not tell caches that responses depend on the
 * origin. Cookies are not used, so credentials are never allowed: a page must hold a token itself. It stands before all
 * that answers requests.
 */
export function useStrictCors(origins: readonly string[], endpoint: string): GatewayPlugin {
  if (origins.length === 0) return {};
  const readable = [endpoint, ...Object.keys(exportPaths(endpoint)), SCHEMA_PATH];
  const isReadable = (url: string) => readable.includes(pathOf({ url }));
  const isListed = ({ url, headers }: Request) =>
    origins.includes(headers.get('origin') ?? '') && isReadable(url);
  const cors = useCORS<GatewayContext>((request) => isListed(request) && corsOptions(request));
  return {
    onRequest(payload) {
      return isListed(payload.request) ? cors.onRequest?.(payload) : undefined;
    },
    async onResponse(payload) {
      await cors.onResponse?.(payload);
      const { request, response } = payload;
      const { headers } = response;
      if (!isReadable(request.url)) return;
      appendTo(headers, 'Vary', 'Origin');
      if (!isListed(request)) return;
      if (request.method === 'OPTIONS') {
        headers.set('Cache-Control', NO_STORE);
        appendTo(headers, 'Vary', 'Access-Control-Request-Headers');
      }
      // Where a page of the request's origin may read responses, its preflight is answered too.
      else if (headers.has('allow')) appendTo(headers, 'Allow', 'OPTIONS');
    },
  };
}

function corsOptions({ method, headers }: Request) {
  const origin = [headers.get('origin') ?? ''];
  const options = { origin, credentials: false, exposedHeaders: EXPOSED_HEADERS };
  if (method !== 'OPTIONS') return options;
  const allowedHeaders = allowedHeadersFor(headers.get('access-control-request-headers') ?? '');
  return { ...options, methods: ['GET', 'POST'], allowedHeaders, maxAge: 600 };
}

/**
 * Allows every header that a listed page requests: tracing and client libraries add headers of their own, which the
 * gateway does not read. `*` would not work, because it does not cover `Authorization`.
 */
export function allowedHeadersFor(requested: string): string[] {
  if (requested.length > MAX_HEADERS_LENGTH) return KNOWN_HEADERS;
  const names = requested.split(',').map((name) => name.trim());
  return names.every((name) => TOKEN.test(name)) ? names : KNOWN_HEADERS;
}

function appendTo(headers: Headers, name: string, value: string): void {
  const given = headers.get(name);
  headers.set(name, given ? `${given}, ${value}` : value);
}
