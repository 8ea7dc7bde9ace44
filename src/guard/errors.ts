import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { JSON_TYPE, negotiate, typeFor } from '../negotiation.ts';
import { serverTiming } from '../plugins/server-timing.ts';
import type { Observation } from '../telemetry/observation.ts';
import { sendWhole } from './parts.ts';

/** A request that is rejected before GraphQL execution. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What was short, if the request was rejected to protect the rest. */
  readonly shed: 'operations' | 'uploads' | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    shed?: HttpError['shed'],
  ) {
    super(message);
    this.shed = shed;
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Responses belong to one caller, and may hold tokens: no proxy may store them. */
export const NO_STORE = 'private, no-store';

/** The `Vary` header of GraphQL responses and of errors. */
export function varyFor(corsOrigins: readonly string[]): string {
  return `Accept, Accept-Encoding${corsOrigins.length > 0 ? ', Origin' : ''}`;
}

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, headers }: HttpError,
  observed: Observation,
  vary: string,
): void {
  const { requestId } = observed;
  const contentType = typeFor(status, negotiate(request.headers.accept));
  const body = errorBody(code, message, requestId);
  response.writeHead(status, {
    ...headers,
    ...(headers.Allow && { Allow: allowedMethods(headers.Allow, response) }),
    'Content-Type': `${contentType}; charset=utf-8`,
    'Content-Length': body.length,
    'Cache-Control': NO_STORE,
    Vary: vary,
    'X-Request-Id': requestId,
    'Server-Timing': serverTiming(observed),
  });
  sendWhole(response, body);
}

/** Where a page of the request's origin may read responses, its preflight is answered too. */
export function allowedMethods(methods: string, response: ServerResponse): string {
  return response.hasHeader('Access-Control-Allow-Origin') ? `${methods}, OPTIONS` : methods;
}

/** A serialized error response, for sockets without a `ServerResponse`. */
export function rawErrorResponse(
  { status, code, message, headers }: HttpError,
  requestId: string,
  vary: string,
): string {
  const body = errorBody(code, message, requestId);
  const lines = Object.entries({
    ...headers,
    'Content-Type': `${JSON_TYPE}; charset=utf-8`,
    'Content-Length': body.length,
    'Cache-Control': NO_STORE,
    Vary: vary,
    'X-Request-Id': requestId,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** All messages and ids are ASCII, so the length in characters is the length in bytes. */
function errorBody(code: string, message: string, requestId: string): string {
  return JSON.stringify({ errors: [{ message, extensions: { code, requestId } }] });
}
