import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_STORE } from '../guard/errors.ts';
import type { PageResponse } from '../pages/route.ts';

/** For a preflight that requests no headers, or invalid header names. */
const KNOWN_HEADERS =
  'Authorization, Cache-Control, Content-Type, X-Client-Authorization, X-Explain, X-Request-Id';

/** Longer than any list a browser sends. */
const MAX_HEADERS_LENGTH = 1_000;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Lets pages of the listed origins read responses. Cookies are not used, so `Access-Control-Allow-Credentials` is never
 * sent: a page must hold a token itself. Returns the response to a preflight.
 */
export function handleCors(
  origins: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): PageResponse | undefined {
  const { origin } = request.headers;
  if (origins.length > 0) response.setHeader('Vary', 'Origin');
  if (origin === undefined || !origins.includes(origin)) return undefined;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader(
    'Access-Control-Expose-Headers',
    'ETag, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, X-Request-Id',
  );
  if (request.method !== 'OPTIONS') return undefined;
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': allowedHeaders(request.headers['access-control-request-headers']),
      'Access-Control-Max-Age': '600',
      'Cache-Control': NO_STORE,
      Vary: 'Access-Control-Request-Headers',
    },
  };
}

/**
 * Allows every header that a listed page requests: tracing and client libraries add headers of their own, which the
 * gateway does not read. `*` would not work, because it does not cover `Authorization`.
 */
export function allowedHeaders(requested = ''): string {
  if (requested.length > MAX_HEADERS_LENGTH) return KNOWN_HEADERS;
  const names = requested.split(',').map((name) => name.trim());
  return names.every((name) => TOKEN.test(name)) ? names.join(', ') : KNOWN_HEADERS;
}
