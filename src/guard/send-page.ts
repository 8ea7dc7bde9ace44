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
  response.writeHead(status, { ...headers, ...(body && { 'Content-Length': body.length }) });
  if (body === undefined) response.end();
  else
    sendBody(response, [body], body.length, () => connection.track(downloads, isOwnBody ? body.length : 0));
}
