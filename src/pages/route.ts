import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { methodNotAllowed } from '../http/errors.ts';

export const ENDPOINT = '/graphql';

/** What a page answers with; the server sends it. */
export interface PageResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

/** What a page reads of a request. */
export type ReadRequest = Pick<IncomingMessage, 'url' | 'method' | 'headers'>;

/** Answers requests for its path; undefined for other requests. */
export type Route = (request: ReadRequest) => PageResponse | Promise<PageResponse> | undefined;

export const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** What a page may load, and nothing else. */
export function policy(...allowed: readonly string[]) {
  const directives = ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'"];
  return { 'Content-Security-Policy': [...directives, "frame-ancestors 'none'"].join('; ') };
}

export function isRead({ method }: ReadRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** With a hint for who has taken a page for the endpoint. */
export const READ_ONLY = methodNotAllowed(
  `Use GET or HEAD. Send GraphQL operations to ${ENDPOINT}.`,
  'GET, HEAD',
);

/** A page at one path; refuses methods that do not read it. */
export function pageAt(path: string, responseTo: Route): Route {
  return (request) => {
    if (pathOf(request) !== path) return undefined;
    if (!isRead(request)) throw READ_ONLY;
    return responseTo(request);
  };
}

/** Of a request target, or of a whole URL: as it was sent, not normalised. */
export function pathOf({ url = '/' }: { readonly url?: string | undefined }): string {
  return url.replace(/^https?:\/\/[^/?]*|\?.*/gis, '');
}
