import type { IncomingMessage, ServerResponse } from 'node:http';

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers':
    'Authorization, Cache-Control, Content-Type, X-Client-Authorization, X-Explain, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

/**
 * Lets pages of the listed origins read answers. Cookies play no part here, so credentials are never allowed:
 * a page must hold a token itself. True when the request was a preflight, and has been answered.
 */
export function answerCors(
  origins: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { origin } = request.headers;
  if (origins.length > 0) response.setHeader('Vary', 'Origin');
  if (origin === undefined || !origins.includes(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204, PREFLIGHT).end();
  return true;
}
