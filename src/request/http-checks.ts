import type { IncomingHttpHeaders } from 'node:http';
import { badRequest, methodNotAllowed, RequestError } from '../http/errors.ts';
import { EVENT_STREAM, SUBSCRIPTION_PARTS } from '../http/negotiation.ts';

const SEND_JSON = 'Send the operation as `Content-Type: application/json`.';
const NO_WEBSOCKETS = `There are no WebSockets here. Subscribe over HTTP: send \`Accept: ${EVENT_STREAM}\`, or \`Accept: ${SUBSCRIPTION_PARTS}\`.`;
const COMPRESSED = 'Send the body as it is, without `Content-Encoding`: compressed ones are not read.';

/** Throws unless an operation can be read from such a request. */
export function checkHeaders(method: string, headers: IncomingHttpHeaders): void {
  // A server that does not switch protocols may answer as if it was not asked to, which says nothing to whoever did.
  if (/\bwebsocket\b/i.test(headers.upgrade ?? '')) throw badRequest(NO_WEBSOCKETS);
  if (method === 'GET') return;
  if (method !== 'POST') throw methodNotAllowed('Use POST, or GET for a query.', 'GET, POST');
  checkContentType(headers['content-type']);
  // A megabyte may decompress to a gigabyte. The `Accept-Encoding` of the response says what is accepted.
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (!['identity', ''].includes(encoding.trim().toLowerCase()))
    throw unsupported(COMPRESSED, { 'accept-encoding': 'identity' });
}

function checkContentType(contentType: string | undefined): void {
  if (contentType === 'application/json') return;
  if (contentType === undefined) throw badRequest(SEND_JSON);
  // Forms are not read: a page of another origin can send one without a CORS preflight.
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    throw unsupported(`Forms are not read here. ${SEND_JSON}`);
  if (/^multipart\/form-data\b/i.test(contentType))
    throw unsupported(`Files cannot be uploaded here. ${SEND_JSON}`);
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw unsupported(SEND_JSON);
  for (const [, charset = ''] of contentType.matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi))
    if (!/^utf-?8$/i.test(charset)) throw unsupported('Send the body in UTF-8.');
}

function unsupported(message: string, headers?: Readonly<Record<string, string>>): RequestError {
  return new RequestError(415, 'UNSUPPORTED_MEDIA_TYPE', message, headers);
}
