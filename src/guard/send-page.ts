import type { ServerResponse } from 'node:http';
import type { PageResponse } from '../pages/route.ts';
import { hasLargeUnreadBody } from './body.ts';
import type { Connection } from './connection.ts';
import { sendBody } from './parts.ts';
import type { Transfers } from './transfers.ts';

/** Sends a page; a client that stops reading it is disconnected. */
export function sendPage(
  response: ServerResponse,
  { status, headers, body, isOwnBody = false }: PageResponse,
  connection: Connection,
  downloads: Transfers,
): void {
  if (hasLargeUnreadBody(response.req)) response.shouldKeepAlive = false;
  // CORS may have named a request header already.
  const vary = [response.getHeader('Vary'), headers.Vary].filter(Boolean).join(', ');
  response.writeHead(status, {
    ...headers,
    ...(vary && { Vary: vary }),
    ...(body && { 'Content-Length': body.length }),
  });
  if (body === undefined) response.end();
  else
    sendBody(response, [body], body.length, () => connection.track(downloads, isOwnBody ? body.length : 0));
}
