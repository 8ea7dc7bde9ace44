import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Rooms {
  readonly endpoint: string;
  readonly graphql: Handler;
  /** Answers requests for pages; false for what is none of its own. */
  readonly page: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly isReady: () => boolean;
}

/** Lets in only what the rooms behind can handle; all else gets a coded error here. */
export function createDoor({ endpoint, graphql, page, isReady }: Rooms): Handler {
  return (request, response) => {
    const requestId = nameRequest(request, response);
    const refuse = (status: number, code: string, message: string, headers: Record<string, string> = {}) => {
      const body = JSON.stringify({ errors: [{ message, extensions: { code, requestId } }] });
      response.writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' }).end(body);
    };

    if (!isHost(request.headers.host)) return refuse(400, 'BAD_REQUEST', 'The header `Host` is malformed.');
    const [path] = (request.url ?? '/').split('?', 1);
    if (path === '/health') return sendText(response, 200, 'ok');
    if (path === '/ready')
      return isReady() ? sendText(response, 200, 'ready') : sendText(response, 503, 'stopping');
    if (page(request, response)) return undefined;
    if (path !== endpoint) return refuse(404, 'NOT_FOUND', `GraphQL is served at ${endpoint}.`);

    switch (request.method) {
      case 'GET':
        return graphql(request, response);
      case 'POST':
        // A form is what a page of another origin can send without asking first, so no form is read.
        if (isJson(request.headers['content-type'])) return graphql(request, response);
        return refuse(
          415,
          'UNSUPPORTED_MEDIA_TYPE',
          'Send the operation as `Content-Type: application/json`.',
        );
      default:
        return refuse(405, 'METHOD_NOT_ALLOWED', 'Use POST, or GET for a query.', { Allow: 'GET, POST' });
    }
  };
}

/** The request's id goes out with the answer and with each error; a caller's own is kept where it is sane. */
function nameRequest(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
  request.headers['x-request-id'] = requestId;
  response.setHeader('X-Request-Id', requestId);
  return requestId;
}

function isHost(host: string | undefined): boolean {
  return host !== undefined && /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host);
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\s*(;|$)/i.test(contentType);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
