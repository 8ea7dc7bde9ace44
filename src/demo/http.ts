import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';

const BODY_LIMIT = 1_048_576;
/** A length that common proxies accept; clients have to split longer lists. */
const TARGET_LIMIT = 4_096;

export interface DemoRequest {
  readonly method: string;
  /** Still encoded, so that an encoded slash is not a separator. */
  readonly path: string;
  readonly query: string;
  readonly authorization: string;
  /** The media type of the body, without its parameters. */
  readonly mediaType: string;
  readonly body: Buffer;
  readonly address: string;
}

export interface DemoResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export async function readRequest(incoming: IncomingMessage): Promise<DemoRequest> {
  const { path, query } = splitTarget(incoming.url ?? '/');
  return {
    method: incoming.method ?? 'GET',
    path,
    query,
    authorization: incoming.headers.authorization ?? '',
    mediaType: mediaTypeOf(incoming.headers['content-type']),
    body: await readBytes(incoming),
    // Sockets that listen on IPv6 report IPv4 addresses in this form.
    address: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  };
}

/** Does not use `URL`, which would resolve dot segments and so match another endpoint. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
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

function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').replace(/;.*/s, '').trim().toLowerCase();
}
