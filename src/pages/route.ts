import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { methodNotAllowed } from '../http/errors.ts';

export const ENDPOINT = '/graphql';

/** The response of a page, which the server sends. */
export interface PageResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

/** The members of a request that pages use. */
export type ReadRequest = Pick<IncomingMessage, 'url' | 'method' | 'headers'>;

/** Responds to requests for its path; returns undefined for others. */
export type Route = (request: ReadRequest) => PageResponse | Promise<PageResponse> | undefined;

export const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** Returns a content security policy that allows only these sources. */
export function policy(...allowed: readonly string[]) {
  const directives = ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'"];
  return { 'Content-Security-Policy': [...directives, "frame-ancestors 'none'"].join('; ') };
}

export function isRead({ method }: ReadRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Names the endpoint, for clients that send operations to a page. */
export const READ_ONLY = methodNotAllowed(
  `Use GET or HEAD. Send GraphQL operations to ${ENDPOINT}.`,
  'GET, HEAD',
);

/** Serves a page at one path, by methods that read. */
export function pageAt(path: string, responseTo: Route): Route {
  return (request) => {
    if (pathOf(request) !== path) return undefined;
    if (!isRead(request)) throw READ_ONLY;
    return responseTo(request);
  };
}

/** Returns the path of a request target or URL as it was sent, not normalised. */
export function pathOf({ url = '/' }: { readonly url?: string | undefined }): string {
  return url.replace(/^https?:\/\/[^/?]*|\?.*/gis, '');
}
