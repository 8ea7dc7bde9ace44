import type { IncomingMessage } from 'node:http';

const BODY_LIMIT = 1_048_576;
/** A length that common proxies accept; clients have to split longer lists. */
const TARGET_LIMIT = 4_096;

export type DemoRequest = Readonly<Awaited<ReturnType<typeof readRequest>>>;

export interface DemoResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export async function readRequest(incoming: IncomingMessage) {
  return {
    method: incoming.method ?? 'GET',
    ...splitTarget(incoming.url ?? '/'),
    authorization: incoming.headers.authorization ?? '',
    /** Of the body, without its parameters. */
    mediaType: (incoming.headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase(),
    body: await readBytes(incoming),
    // Sockets that listen on IPv6 report IPv4 addresses in this form.
    address: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  };
}

/**
 * The path is still encoded, so that an encoded slash is not a separator. `URL` would also resolve dot segments, and so
 * match another endpoint.
 */
export function splitTarget(target: string): { path: string; query: string } {
  const [path = '', ...query] = target.split('?');
  return { path, query: query.join('?') };
}

export function requireSize(request: DemoRequest): void {
  if (request.path.length + request.query.length > TARGET_LIMIT) {
    throw new HttpError(414, 'uri_too_long', `The address may have ${TARGET_LIMIT} bytes.`);
  }
  if (request.body.length > BODY_LIMIT) {
    throw new HttpError(413, 'payload_too_large', `The body may have ${BODY_LIMIT} bytes.`);
  }
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): DemoResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Reads the whole body but buffers only up to the limit, because clients read the response after sending all of it. */
async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (size <= BODY_LIMIT) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** An error response; serialized as the Error object of the description. */
export class HttpError extends Error {
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

export const badRequestError = (message: string) => new HttpError(400, 'bad_request', message);
export const forbidden = (message: string) => new HttpError(403, 'forbidden', message);
export const notFound = (message: string) => new HttpError(404, 'not_found', message);
export const unprocessable = (message: string) => new HttpError(422, 'unprocessable', message);
export const unauthenticated = (scheme: 'Basic' | 'Bearer', message: string) =>
  new HttpError(401, 'unauthenticated', message, { 'www-authenticate': `${scheme} realm="demo"` });

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns undefined for invalid JSON; no valid JSON text parses to undefined. */
export function parseRequestJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
