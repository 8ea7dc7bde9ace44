import type { IncomingMessage, ServerResponse } from 'node:http';

/** Handles a request for its path; returns false for other requests. */
export type Route = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<true>;

export const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** The `Vary` header with these names added. */
export function varyOn(response: ServerResponse, names: string): string {
  const current = response.getHeader('Vary');
  return current === undefined ? names : `${names}, ${current}`;
}

export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
