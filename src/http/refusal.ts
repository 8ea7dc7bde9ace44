import type { IncomingMessage, ServerResponse } from 'node:http';
import { JSON_TYPE, negotiate } from './accept.ts';
import type { Refusal } from './operation.ts';

/** Answers belong to one caller, and may hold tokens: nobody in between may keep them. */
export const NO_STORE = 'private, no-store';

export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, headers }: Refusal,
  requestId: string,
  vary: string,
): void {
  // Apollo Client shows the code of a 4xx only in the type of GraphQL, and tries a 5xx again only in any other.
  const contentType = (status < 500 && negotiate(request.headers.accept)) || JSON_TYPE;
  const body = refusalBody(code, message, requestId);
  response
    .writeHead(status, {
      ...headers,
      'Content-Type': `${contentType}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': NO_STORE,
      Vary: vary,
      'X-Request-Id': requestId,
    })
    .end(body);
}

/** A refusal as it travels, for what is not HTTP: that has no request to answer. */
export function rawRefusal(status: string, code: string, message: string, requestId: string): string {
  const body = refusalBody(code, message, requestId);
  const headers = [
    `Content-Type: ${JSON_TYPE}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Cache-Control: ${NO_STORE}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

function refusalBody(code: string, message: string, requestId: string): string {
  return JSON.stringify({ errors: [{ message, extensions: { code, requestId } }] });
}
