import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { GatewayRequest, OperationParams } from '../gateway/request.ts';
import { jsonSize } from '../plugins/json-size.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { ReceivedText } from './body.ts';
import { HttpError } from './errors.ts';

/** The client's own `X-Request-Id` if it is valid, otherwise a random one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The rest of the body is not read, so the connection cannot be reused. */
const CLOSE = { Connection: 'close' };

/** Rejects requests that violate HTTP, and normalizes the request target. */
export function checkRequest(request: IncomingMessage): void {
  if (request.url?.startsWith('/') === false) useOriginForm(request);
  const { host, expect } = request.headers;
  // HTTP/1.0 has no `Host`, and load balancers use it for health checks.
  if (host === undefined ? request.httpVersion !== '1.0' : !isHost(host)) throw MALFORMED_HOST;
  checkDuplicateHeaders(request.rawHeaders);
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw EXPECTATION_FAILED;
}

const MALFORMED_HOST = badRequest('The header `Host` is malformed.');
const SEVERAL_HOSTS = badRequest('Send the header `Host` once.');
const SEVERAL_CREDENTIALS = badRequest('Send the header `Authorization` once.');
const EXPECTATION_FAILED = new HttpError(417, 'EXPECTATION_FAILED', 'Leave the header `Expect` out.', CLOSE);

/** Absolute-form target, `http://host/path`, as sent to proxies: its host overrides the header. */
function useOriginForm(request: IncomingMessage): void {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Node keeps the first of duplicates; a proxy in front may have used the last. */
function checkDuplicateHeaders(rawHeaders: readonly string[]): void {
  let hosts = 0;
  let credentials = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { [index]: name = '' } = rawHeaders;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1) throw SEVERAL_HOSTS;
  if (credentials > 1) throw SEVERAL_CREDENTIALS;
}

/** Most clients send the same host, so the last valid one is cached. */
let lastValidHost: string | undefined;

function isHost(host: string): boolean {
  if (host !== lastValidHost && isWellFormed(host)) lastValidHost = host;
  return host === lastValidHost;
}

/** Host names are also checked by the URL parser, which validates addresses and ports. */
function isWellFormed(host: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);
}

/** The text that holds the operation's parameters: the target of a GET, or the body of a POST. */
export function readText(
  request: IncomingMessage,
  readBody: () => Promise<ReceivedText>,
): ReceivedText | Promise<ReceivedText> {
  if (request.method === 'GET') return { take: () => request.url ?? '', drop: () => {} };
  if (request.method !== 'POST') throw METHOD_NOT_ALLOWED;
  checkContentType(request);
  checkContentEncoding(request);
  return readBody();
}

const METHOD_NOT_ALLOWED = new HttpError(405, 'METHOD_NOT_ALLOWED', 'Use POST, or GET for a query.', {
  Allow: 'GET, POST',
});

/** The parameters of an operation, and the memory that they take. */
export type ReceivedParams = Pick<GatewayRequest, 'params' | 'bytes'>;

type Members = { readonly [member in keyof OperationParams]?: unknown };

/** Parsing a long text takes milliseconds, so it is done only for admitted operations. */
export function parseParams({ method }: IncomingMessage, text: string): ReceivedParams {
  const { members, bytes } = method === 'GET' ? readUrl(text) : readPost(text);
  return { params: validateParams(members), bytes };
}

interface ReadMembers {
  readonly members: Members;
  readonly bytes: number;
}

function readUrl(url: string): ReadMembers {
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  let bytes = url.length;
  const member = (name: string) => {
    const parsed = parseBounded(parameters.get(name) || 'null', `\`${name}\``);
    if (parsed.value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    bytes += parsed.bytes;
    return parsed.value;
  };
  const members = {
    query: parameters.get('query'),
    documentId: parameters.get('documentId'),
    variables: member('variables'),
    operationName: parameters.get('operationName'),
    extensions: member('extensions'),
  };
  return { members, bytes };
}

function checkContentType(request: IncomingMessage): void {
  const contentType = request.headers['content-type'];
  if (contentType === 'application/json') return;
  if (contentType === undefined) throw NO_CONTENT_TYPE;
  // Forms are not read: a page of another origin can send one without a CORS preflight.
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw OTHER_CONTENT_TYPE;
  for (const [, charset = ''] of contentType.matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi))
    if (!/^utf-?8$/i.test(charset)) throw OTHER_CHARSET;
}

const SEND_JSON = 'Send the operation as `Content-Type: application/json`.';
const NO_CONTENT_TYPE = badRequest(SEND_JSON);
const OTHER_CHARSET = new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body in UTF-8.');
const OTHER_CONTENT_TYPE = new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', SEND_JSON);

/**
 * Compressed bodies are rejected, because a megabyte may decompress to a gigabyte. The response's `Accept-Encoding`
 * header says which encodings are accepted.
 */
function checkContentEncoding({ headers }: IncomingMessage): void {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (['identity', ''].includes(encoding.trim().toLowerCase())) return;
  throw COMPRESSED;
}

const COMPRESSED = new HttpError(
  415,
  'UNSUPPORTED_MEDIA_TYPE',
  'Send the body as it is, without `Content-Encoding`: compressed ones are not read.',
  { 'Accept-Encoding': 'identity' },
);

function readPost(text: string): ReadMembers {
  // Some Windows editors and libraries write a byte order mark.
  const { value, bytes } = parseBounded(text.startsWith('\uFEFF') ? text.slice(1) : text, 'The body');
  if (Array.isArray(value)) throw BATCH;
  if (!isObject(value)) throw NOT_AN_OBJECT;
  return { members: value, bytes };
}

const BATCH = badRequest('Send one operation a request: batches are not taken.');
const NOT_AN_OBJECT = badRequest('The body is not a JSON object.');

function parseBounded(text: string, what: string) {
  const { violation, bytes } = jsonSize(text);
  if (violation !== undefined) throw badRequest(`${what} ${violation}.`);
  return { value: parseJson(text), bytes };
}

function validateParams(members: Members): OperationParams {
  const { query, documentId, variables, operationName, extensions } = members;
  if (!isAbsent(operationName) && typeof operationName !== 'string')
    throw badRequest('`operationName` takes a string.');
  if (!isAbsent(variables) && !isObject(variables)) throw badRequest('`variables` takes a JSON object.');
  if (!isAbsent(extensions) && !isObject(extensions)) throw badRequest('`extensions` takes a JSON object.');
  return {
    query,
    documentId,
    variables: variables ?? undefined,
    operationName: operationName || undefined,
    extensions: extensions ?? undefined,
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function badRequest(message: string): HttpError {
  return new HttpError(400, 'BAD_REQUEST', message);
}
