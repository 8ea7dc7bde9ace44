import type { IncomingHttpHeaders } from 'node:http';
import { JSON_TYPE, negotiate, RESPONSE_JSON } from '../http/negotiation.ts';
import { badRequest, RequestError } from '../http/request-error.ts';

const METHOD_NOT_ALLOWED = new RequestError(405, 'METHOD_NOT_ALLOWED', 'Use POST, or GET for a query.', {
  allow: 'GET, POST',
});
const NOT_ACCEPTABLE = new RequestError(
  406,
  'NOT_ACCEPTABLE',
  `Answers come as ${RESPONSE_JSON} or ${JSON_TYPE}.`,
);
const SEND_JSON = 'Send the operation as `Content-Type: application/json`.';
const NO_CONTENT_TYPE = badRequest(SEND_JSON);
const OTHER_CHARSET = new RequestError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body in UTF-8.');
const OTHER_CONTENT_TYPE = new RequestError(415, 'UNSUPPORTED_MEDIA_TYPE', SEND_JSON);
const COMPRESSED = new RequestError(
  415,
  'UNSUPPORTED_MEDIA_TYPE',
  'Send the body as it is, without `Content-Encoding`: compressed ones are not read.',
  { 'accept-encoding': 'identity' },
);

export function checkMethod(method: string | undefined): void {
  if (method !== 'GET' && method !== 'POST') throw METHOD_NOT_ALLOWED;
}

/** Throws if a body is not to be read at all. */
export function checkContent(headers: IncomingHttpHeaders): void {
  checkContentType(headers['content-type']);
  checkContentEncoding(headers['content-encoding']);
}

function checkContentType(contentType: string | undefined): void {
  if (contentType === 'application/json') return;
  if (contentType === undefined) throw NO_CONTENT_TYPE;
  // Forms are not read: a page of another origin can send one without a CORS preflight.
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw OTHER_CONTENT_TYPE;
  for (const [, charset = ''] of contentType.matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi))
    if (!/^utf-?8$/i.test(charset)) throw OTHER_CHARSET;
}

/**
 * Compressed bodies are rejected, because a megabyte may decompress to a gigabyte. The response's `Accept-Encoding`
 * header says which encodings are accepted.
 */
function checkContentEncoding(encoding = 'identity'): void {
  if (!['identity', ''].includes(encoding.trim().toLowerCase())) throw COMPRESSED;
}

/** The media type of the response that the client prefers. */
export function acceptedType({ accept }: IncomingHttpHeaders): string {
  const mediaType = negotiate(accept);
  if (mediaType === undefined) throw NOT_ACCEPTABLE;
  return mediaType;
}
