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
    /** Of the body, without its parameters. */
    mediaType: (incoming.headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase(),
    body: Buffer.concat(chunks),
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

export function jsonResponse(
  status: number,
  value: unknown,
  headers: DemoResponse['headers'] = {},
): DemoResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Ends a request with the Error object of the description. */
export class HttpError extends Error {
  readonly response: DemoResponse;

  constructor(status: number, code: string, message: string, headers?: DemoResponse['headers']) {
    super(message);
    this.response = jsonResponse(status, { code, message }, headers);
  }
}

export const badRequestError = (message: string) => new HttpError(400, 'bad_request', message);
export const forbidden = (message: string) => new HttpError(403, 'forbidden', message);
export const notFound = (message: string) => new HttpError(404, 'not_found', message);

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
