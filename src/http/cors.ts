import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_STORE } from './errors.ts';

/** For a preflight that asks for none, or for what cannot be names of headers. */
const KNOWN_HEADERS =
  'Authorization, Cache-Control, Content-Type, X-Client-Authorization, X-Explain, X-Request-Id';

/** Longer than any list that a browser sends. */
const MAX_HEADERS_LENGTH = 1_000;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Lets pages of the listed origins read answers. Cookies play no part here, so credentials are never allowed:
 * a page must hold a token itself. True when the request was a preflight, and has been answered.
 */
export function handleCors(
  origins: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { origin } = request.headers;
  if (origins.length > 0) response.setHeader('Vary', 'Origin');
  if (origin === undefined || !origins.includes(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id');
  if (request.method !== 'OPTIONS') return false;
  response
    .writeHead(204, {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': allowedHeaders(request.headers['access-control-request-headers']),
      'Access-Control-Max-Age': '600',
      'Cache-Control': NO_STORE,
      Vary: 'Origin, Access-Control-Request-Headers',
    })
    .end();
  return true;
}

/**
 * Whatever a listed page asks to send: tracing and client libraries add headers of their own, which the gateway does
 * not read. `*` would not do, as it leaves `Authorization` out.
 */
export function allowedHeaders(requested = ''): string {
  if (requested.length > MAX_HEADERS_LENGTH) return KNOWN_HEADERS;
  const names = requested.split(',').map((name) => name.trim());
  return names.every((name) => TOKEN.test(name)) ? names.join(', ') : KNOWN_HEADERS;
}
