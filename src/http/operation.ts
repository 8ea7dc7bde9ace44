import type { IncomingMessage } from 'node:http';
import { isObject, parseJson } from '../rest/json.ts';
import { excessIn } from './json-size.ts';

/** What a caller asks for, checked as far as HTTP goes. */
export interface OperationRequest {
  readonly query: string;
  readonly variables: { readonly [name: string]: unknown } | undefined;
  readonly operationName: string | undefined;
  /** How long it was as it came. */
  readonly bytes: number;
}

/** The parts of a request as they came. */
export interface Members {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/** The text of the document that a request asks for, or a refusal. */
export type FindDocument = (members: Members) => string;

/** A request that is refused before GraphQL sees it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** From the parameters of a GET, or from the JSON body of a POST, which `readBody` waits for. */
export function readOperation(
  request: IncomingMessage,
  findDocument: FindDocument,
  readBody: () => Promise<string>,
): OperationRequest | Promise<OperationRequest> {
  if (request.method === 'GET')
    return checked(readParameters(request.url ?? ''), findDocument, request.url?.length ?? 0);
  if (request.method === 'POST') {
    checkContentType(request);
    checkContentEncoding(request);
    return readBody().then((text) => readPost(text, findDocument));
  }
  throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Use POST, or GET for a query.', { Allow: 'GET, POST' });
}

function readParameters(url: string): Members {
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  const member = (name: string) => {
    const value = parseBounded(parameters.get(name) || 'null', `\`${name}\``);
    if (value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    return value;
  };
  return {
    query: parameters.get('query'),
    documentId: parameters.get('documentId'),
    variables: member('variables'),
    operationName: parameters.get('operationName'),
    extensions: member('extensions'),
  };
}

function checkContentType(request: IncomingMessage): void {
  const contentType = request.headers['content-type'];
  if (contentType === undefined) throw badRequest('Send the operation as `Content-Type: application/json`.');
  // A form is what a page of another origin can send without asking first, so no form is read.
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new Refusal(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the operation as `Content-Type: application/json`.',
    );
  }
}

/** A megabyte of it may stand for a gigabyte. Which encodings are read, the header says. */
function checkContentEncoding({ headers }: IncomingMessage): void {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (['identity', ''].includes(encoding.trim().toLowerCase())) return;
  throw new Refusal(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as it is, without `Content-Encoding`: compressed ones are not read.',
    { 'Accept-Encoding': 'identity' },
  );
}

function readPost(text: string, findDocument: FindDocument): OperationRequest {
  // Some editors and libraries of Windows put a byte order mark before the text.
  const body = parseBounded(text.startsWith('\uFEFF') ? text.slice(1) : text, 'The body');
  if (Array.isArray(body)) throw badRequest('Send one operation a request: batches are not taken.');
  if (!isObject(body)) throw badRequest('The body is not a JSON object.');
  return checked(body, findDocument, text.length);
}

function parseBounded(text: string, what: string): unknown {
  const excess = excessIn(text);
  if (excess !== undefined) throw badRequest(`${what} ${excess}.`);
  return parseJson(text);
}

function checked(members: Members, findDocument: FindDocument, bytes: number): OperationRequest {
  const query = findDocument(members);
  const { variables, operationName, extensions } = members;
  if (!isAbsent(operationName) && typeof operationName !== 'string')
    throw badRequest('`operationName` takes a string.');
  if (!isAbsent(variables) && !isObject(variables)) throw badRequest('`variables` takes a JSON object.');
  if (!isAbsent(extensions) && !isObject(extensions)) throw badRequest('`extensions` takes a JSON object.');
  return { query, variables: variables ?? undefined, operationName: operationName || undefined, bytes };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function badRequest(message: string): Refusal {
  return new Refusal(400, 'BAD_REQUEST', message);
}
