import type { IncomingMessage } from 'node:http';

export type DemoRequest = Readonly<Awaited<ReturnType<typeof readRequest>>>;

export interface DemoResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export async function readRequest(incoming: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return {
    method: incoming.method ?? 'GET',
    ...splitTarget(incoming.url ?? '/'),
    authorization: incoming.headers.authorization ?? '',
    /** Without parameters such as charset. */
    mediaType: (incoming.headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase(),
    body: Buffer.concat(chunks),
    // Sockets that listen on IPv6 report IPv4 addresses in this form.
    address: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  };
}

/**
 * Splits a target. The path stays encoded, so that an encoded slash is not a separator. `URL` would also resolve dot
 * segments, which could match another endpoint.
 */
export function splitTarget(target: string): { path: string; query: string } {
  const [path = '', ...query] = target.split('?');
  return { path, query: query.join('?') };
}

export function jsonResponse(status: number, value: unknown, headers: Record<string, string> = {}) {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Ends a request with the error object that the REST documentation describes. */
export class HttpError extends Error {
  readonly response: DemoResponse;

  constructor(status: number, code: string, message: string, headers?: Record<string, string>) {
    super(message);
    this.response = jsonResponse(status, { code, message }, headers);
  }
}

export const badRequestError = (message: string) => new HttpError(400, 'bad_request', message);
export const forbidden = (message: string) => new HttpError(403, 'forbidden', message);

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns undefined for invalid JSON. */
export function parseRequestJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Parameters = Readonly<Record<string, string | undefined>>;

/** Decodes a query string or a form. Rejects duplicates and invalid encoding. */
export function decodePairs(text: string): Parameters {
  if (/%(?![0-9a-f]{2})/i.test(text))
    throw badRequestError('A percent sign must be followed by two hex digits.');
  const pairs = [...new URLSearchParams(text)];
  const values = Object.fromEntries(pairs);
  if (Object.keys(values).length < pairs.length) throw badRequestError('A parameter may be given once only.');
  return values;
}

export function rejectUnknown(parameters: object, known: readonly string[] = []): void {
  const unknown = Object.keys(parameters).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badRequestError(`There is no parameter ${unknown} here.`);
}

const FORM = 'application/x-www-form-urlencoded';

/** Reads a form. A missing body is an empty form. */
export function readForm(request: DemoRequest): Parameters {
  const { mediaType, body } = request;
  if (mediaType !== FORM && (mediaType !== '' || body.length > 0)) throw unsupported(request);
  return decodePairs(body.toString());
}

/** Reads a JSON object or a form. */
export function readRequestBody(request: DemoRequest): Record<string, unknown> {
  if (request.mediaType === FORM) return readForm(request);
  if (request.mediaType !== 'application/json') throw unsupported(request);
  const value = parseRequestJson(request.body.toString());
  if (!isJsonObject(value)) throw badRequestError('The body must be a JSON object.');
  return value;
}

function unsupported({ mediaType }: DemoRequest): HttpError {
  return new HttpError(415, 'unsupported_media_type', `The body may not be of the type "${mediaType}".`);
}
