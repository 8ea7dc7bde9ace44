import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request for what it shows; false for any other. */
export type Route = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<true>;

export const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** What it depends on, beside what is said already. */
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
