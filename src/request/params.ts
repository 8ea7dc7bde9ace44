import { isUtf8 } from 'node:buffer';
import { copyOf } from '../composite-key.ts';
import { badRequest, RequestError } from '../http/errors.ts';
import { ByteCollector } from '../limits/byte-collector.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { ArrayEntry, OperationParams, ReceivedText } from './context.ts';
import { checkContent } from './http-checks.ts';
import { jsonSize } from './json-size.ts';

/** The parameters of a GET, and the memory that they take. */
export function paramsOfSearch(search: string) {
  const parameters = new URLSearchParams(search);
  let bytes = search.length;
  const member = (name: string) => {
    const parsed = parseBounded(parameters.get(name) || 'null', `\`${name}\``);
    if (parsed.value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    bytes += parsed.bytes;
    return parsed.value;
  };
  const query = parameters.get('query');
  const params = validateParams({
    // A document is kept, and the URL is not.
    query: query && copyOf(query),
    documentId: parameters.get('documentId'),
    variables: member('variables'),
    operationName: parameters.get('operationName'),
    extensions: member('extensions'),
  });
  return { params, bytes };
}

/** The same of a POST. */
export function paramsOfBody(text: string) {
  const { value, bytes } = parseBody(text);
  return { params: paramsOf(value, 'The body'), bytes };
}

/** The operations of an array. One that is none is refused in its place; the memory of all counts in equal parts. */
export function entriesOfBody(text: string, maxEntries: number): ArrayEntry[] {
  const { value, bytes } = parseBody(text);
  if (!Array.isArray(value)) throw NOT_ARRAY;
  if (value.length === 0) throw NO_ENTRIES;
  if (value.length > maxEntries) throw new TooManyEntries(maxEntries, value.length);
  return value.map((entry: unknown) => {
    const part = { bytes: Math.ceil(bytes / value.length) };
    try {
      return { ...part, params: paramsOf(entry, 'An operation of the array') };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { ...part, params: {}, refusal: error };
    }
  });
}

const NOT_ARRAY = badRequest('The body is not a JSON array.');
const NO_ENTRIES = badRequest('The array has no operations.');
/** A client that sends more operations at once gets one error for them all. */
const MAX_ANSWERS = 100;

export class TooManyEntries extends RequestError {
  /** How many its client waits for; undefined to answer them all at once. */
  readonly answers: number | undefined;

  constructor(maxEntries: number, entries: number) {
    const message = `The array has more than ${maxEntries} operations. Send at most ${maxEntries} in one request.`;
    super(400, 'BAD_REQUEST', message);
    this.answers = entries > Math.max(maxEntries, MAX_ANSWERS) ? undefined : entries;
  }
}

function parseBody(text: string) {
  // Some Windows editors and libraries write a byte order mark.
  return parseBounded(text.startsWith('\uFEFF') ? text.slice(1) : text, 'The body');
}

function paramsOf(value: unknown, what: 'The body' | 'An operation of the array'): OperationParams {
  if (Array.isArray(value)) throw ARRAY;
  if (isObject(value)) return validateParams(value);
  throw badRequest(`${what} is not a JSON object such as {"query":"{ viewer { scopes } }"}.`);
}

const ARRAY = badRequest('Send one operation, as a JSON object: an array of operations is not taken here.');

function parseBounded(text: string, what: string) {
  const { violation, bytes } = jsonSize(text);
  if (violation !== undefined) throw badRequest(`${what} ${violation}.`);
  return { value: parseJson(text), bytes };
}

/** What is no text cannot be a document: whether there is one is checked once it is known how documents are found. */
function validateParams(members: { readonly [name: string]: unknown }): OperationParams {
  const { query, documentId, variables, operationName, extensions } = members;
  const params: OperationParams = {};
  if (typeof query === 'string') params.query = query;
  if (typeof documentId === 'string') params.documentId = documentId;
  if (isObject(variables)) params.variables = variables;
  else if (!isAbsent(variables)) throw badRequest('`variables` takes a JSON object.');
  if (typeof operationName !== 'string') {
    if (!isAbsent(operationName)) throw badRequest('`operationName` takes a string.');
  } else if (operationName !== '') params.operationName = operationName;
  if (isObject(extensions)) params.extensions = extensions;
  else if (!isAbsent(extensions)) throw badRequest('`extensions` takes a JSON object.');
  return params;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export const MAX_BODY_BYTES = 1_000_000;

export const TOO_LARGE = new RequestError(
  413,
  'PAYLOAD_TOO_LARGE',
  `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  { connection: 'close' },
);
const NOT_UTF8 = badRequest('The body is not UTF-8.');

/** The body of a request to another server than the guarded one, which has read it already. */
export async function receiveText(request: Request): Promise<ReceivedText> {
  try {
    checkContent(Object.fromEntries(request.headers));
    if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) throw TOO_LARGE;
    const body = await readBytes(request);
    return { isArray: opensArray(body) === true, check() {}, take: () => decodeBody(body), drop() {} };
  } catch (error) {
    return refusedText(error);
  }
}

/** A body that is not read. */
export function refusedText(error: unknown): ReceivedText {
  const refuse = () => {
    throw error;
  };
  return { isArray: false, check: refuse, take: refuse, drop() {} };
}

async function readBytes(request: Request): Promise<Buffer> {
  const received = new ByteCollector();
  // A framework may have parsed the body before; then there is only its text.
  for await (const chunk of request.body ?? [Buffer.from(await request.text())]) {
    received.append(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (received.length > MAX_BODY_BYTES) throw TOO_LARGE;
  }
  return received.content();
}

export function decodeBody(body: Buffer): string {
  if (isUtf8(body)) return body.toString('utf8');
  throw NOT_UTF8;
}

/** What may stand before JSON: blanks, and the byte order mark that some Windows libraries write. */
const BLANK: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));
const OPENING = '['.charCodeAt(0);

/** Whether JSON that begins with these bytes is an array; undefined if they do not tell. */
export function opensArray(bytes: Uint8Array): boolean | undefined {
  for (const byte of bytes) if (!BLANK.has(byte)) return byte === OPENING;
  return undefined;
}
