import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';

/** A rejected request. Yoga reads status and headers from `extensions.http`; clients see the message and the code. */
export class RequestError extends GraphQLError {
  /** Header names are in lower case, since Yoga's Headers do not replace a name in another case. */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message, { extensions: { code, http: { status, headers } } });
  }
}

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

/** An error of the gateway itself, whose details are only logged. */
export const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** Responses belong to one caller and may contain tokens, so no proxy may store them. */
export const NO_STORE = 'private, no-store';
export const VARY = 'Accept, Accept-Encoding';

export function getRequestId(header: string | string[] | null | undefined): string {
  return typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) ? header : randomUUID();
}
