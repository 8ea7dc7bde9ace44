import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';

/** A refused request. Yoga finds status and headers in `extensions.http`; clients see its message and its code. */
export class RequestError extends GraphQLError {
  /** `headers`: by names in lower case, since the Headers of Yoga do not replace a name in another case. */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message, { extensions: { code, http: { status, headers } } });
  }
}

/** For a document that would take too long to validate, or an operation that would take too long to execute. */
export function tooExpensive(message: string, status = 400): RequestError {
  return new RequestError(status, 'OPERATION_TOO_EXPENSIVE', message);
}

export function overloaded(
  message: string,
  retryAfter = '1',
  headers?: Record<string, string>,
): RequestError {
  return new RequestError(503, 'OVERLOADED', message, { ...headers, 'retry-after': retryAfter });
}

export function methodNotAllowed(message: string, allow: string): RequestError {
  return new RequestError(405, 'METHOD_NOT_ALLOWED', message, { allow });
}

export function notAcceptable(message: string): RequestError {
  return new RequestError(406, 'NOT_ACCEPTABLE', message);
}

export function badRequest(message: string): RequestError {
  return new RequestError(400, 'BAD_REQUEST', message);
}

/** A fault of the gateway, whose details are only logged. */
export const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** Responses belong to one caller, and may hold tokens: no proxy may store them. */
export const NO_STORE = 'private, no-store';
/** What the responses of operations depend on, beside the credentials. */
export const VARY = 'Accept, Accept-Encoding';

/** The client's own `X-Request-Id` if it is valid, otherwise a random one. */
export function requestIdOf(given: string | string[] | null | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
}
