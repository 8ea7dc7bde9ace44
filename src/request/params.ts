import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { badRequest, methodNotAllowed, RequestError } from '../http/errors.ts';
import { EVENT_STREAM, SUBSCRIPTION_PARTS } from '../http/negotiation.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { OperationParams } from './context.ts';
import type { Exchange } from './exchange.ts';

const SEND_JSON = 'Send the operation as `Content-Type: application/json`.';
const NO_WEBSOCKETS = `WebSockets are not supported. Subscribe over HTTP: send \`Accept: ${EVENT_STREAM}\`, or \`Accept: ${SUBSCRIPTION_PARTS}\`.`;
const COMPRESSED = 'Compressed bodies are not supported. Send the body without `Content-Encoding`.';
export const MAX_BODY_BYTES = 512_000;
const MAX_VALUES = 50_000;
const EXPLAIN_VALUES = ['true', 'estimate', 'false'];
/** The memory of one comma or bracket of JSON, which may become an object or a member with a new name. */
const VALUE_BYTES = 100;
const MAX_DEPTH = 32;

const TOO_LONG = `The body is larger than ${MAX_BODY_BYTES} bytes.`;
const TOO_LARGE = new RequestError(413, 'PAYLOAD_TOO_LARGE', TOO_LONG);

/** Throws if no operation can be read from a request with these headers. */
export function checkHeaders(method: string, headers: IncomingHttpHeaders): void {
  const { 'x-max-calls': maxCalls = '1', 'x-explain': explain = 'false' } = headers;
  // A typing error in `estimate` must not run the operation.
  if (!EXPLAIN_VALUES.includes(`${explain}`))
    throw badRequest('`X-Explain` must be `true`, `estimate` or `false`.');
  if (!/^[1-9]\d{0,8}$/.test(`${maxCalls}`))
    throw badRequest('`X-Max-Calls` must be a whole number of at least 1.');
  // A server may ignore `Upgrade`, but a WebSocket client then gets no useful error.
  if (/\bwebsocket\b/i.test(headers.upgrade ?? '')) throw badRequest(NO_WEBSOCKETS);
  if (method === 'GET') return;
  if (method !== 'POST') throw methodNotAllowed('Use POST, or GET for a query.', 'GET, POST');
  const { 'content-type': contentType } = headers;
  if (contentType === undefined) throw badRequest(SEND_JSON);
  // Forms are not read: a page of another origin can send one without a CORS preflight.
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw unsupported(SEND_JSON);
  // A megabyte may decompress to a gigabyte. `Accept-Encoding` in the response says what is accepted.
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (!['identity', ''].includes(encoding.trim().toLowerCase()))
    throw unsupported(COMPRESSED, { 'accept-encoding': 'identity' });
}

function unsupported(message: string, headers?: Readonly<Record<string, string>>): RequestError {
  return new RequestError(415, 'UNSUPPORTED_MEDIA_TYPE', message, headers);
}

/** Reads a body. Throws if it is too large or the memory is used up. */
export async function receiveBody(request: Request, { host, headers, admission }: Exchange): Promise<Buffer> {
  if (Number(headers['content-length']) > MAX_BODY_BYTES) throw TOO_LARGE;
  // Copy into one buffer: each chunk would keep all of the memory that it was read into.
  let buffer = Buffer.alloc(0);
  let length = 0;
  const memory = admission.reserveMemory(() => {
    throw admission.createRejection('uploads');
  });
  const append = (chunk: Uint8Array) => {
    const end = length + chunk.length;
    if (end > MAX_BODY_BYTES) throw TOO_LARGE;
    if (end > buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(end, 2 * buffer.length));
      memory.add(grown.length - buffer.length);
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
    }
    buffer.set(chunk, length);
    length = end;
  };
  await host.readBody(request, append);
  const body = buffer.subarray(0, length);
  const values = countValues(body);
  if (values > MAX_VALUES) throw badRequest(`The body has more than ${MAX_VALUES} commas and brackets.`);
  memory.add(values * VALUE_BYTES);
  return body;
}

const [COMMA, BRACKET, BRACE] = Buffer.from(',[{');

function countValues(body: Buffer): number {
  let values = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  return values;
}

/** Parses the query string of a GET request. */
export function parseQueryString(search: string): unknown {
  const members = Object.fromEntries(new URLSearchParams(search));
  const parsed = ['variables', 'extensions'].map((name) => {
    const value = parseJsonWithLimits(members[name] || 'null', `\`${name}\``);
    if (value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    return [name, value];
  });
  return { ...members, ...Object.fromEntries(parsed) };
}

/** Parses the JSON of a body. Windows libraries may write a byte order mark before it. */
export function parseBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw badRequest('The body is not UTF-8.');
  return parseJsonWithLimits(body.toString('utf8').replace(/^\uFEFF/, ''), 'The body');
}

/** Checks the parameters. Ignores a `query` that is not a string: `requireDocument` later reports a missing document. */
export function parseParams(value: unknown, label = 'The body'): OperationParams {
  if (!isObject(value))
    throw badRequest(`${label} is not a JSON object such as {"query":"{ viewer { scopes } }"}.`);
  const { query, documentId } = value;
  const operationName = value.operationName ?? '';
  if (typeof operationName !== 'string') throw badRequest('`operationName` must be a string.');
  const params: OperationParams = {};
  if (typeof query === 'string') params.query = query;
  if (typeof documentId === 'string') params.documentId = documentId;
  if (operationName !== '') params.operationName = operationName;
  for (const name of ['variables', 'extensions'] as const) {
    const member = value[name] ?? undefined;
    if (isObject(member)) params[name] = member;
    else if (member !== undefined) throw badRequest(`\`${name}\` must be a JSON object.`);
  }
  return params;
}

/** Limits the depth, since code that reads the value may recurse. */
function parseJsonWithLimits(text: string, label: string): unknown {
  const value = parseJson(text);
  if (isDeeper(value, MAX_DEPTH)) throw badRequest(`${label} is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
