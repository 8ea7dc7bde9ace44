import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { InvalidValue } from '../execution/field-errors.ts';
import { RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';

/** What a client sees of an error, except the request id. It does not reference the document, so it can be cached. */
export interface PublicError extends GraphQLFormattedError {
  readonly extensions: { readonly code: string; readonly [extension: string]: unknown };
  /** The HTTP status and headers of a response without data. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Messages of validation quote names of the document, which may be as long as the document. */
const MAX_MESSAGE_LENGTH = 1_000;

/** For a request that is rejected before its operation is executed. */
export function requestError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
}

/**
 * Converts every error that is sent to a client: it always has a code and never exposes internal details. Nothing else
 * decides what clients see.
 */
export function publicError(error: GraphQLError): PublicError {
  const { message, ...extensions } = describe(error);
  const { code, retryAfter } = extensions;
  const { locations, path } = error;
  const { status = STATUS_BY_CODE[code] ?? 400, headers } = httpOf(error);
  return {
    message: message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions,
    status,
    headers: { ...headers, ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }) },
  };
}

/** Errors that the client did not cause: the same request may succeed later. */
const STATUS_BY_CODE: { readonly [code: string]: number } = {
  INTERNAL_SERVER_ERROR: 500,
  OVERLOADED: 503,
  UPSTREAM_TIMEOUT: 504,
};

/** The HTTP status and headers in `extensions.http`, a convention of Yoga. */
function httpOf({ extensions: { http } }: GraphQLError) {
  const { status, headers } = isObject(http) ? http : {};
  return {
    status: typeof status === 'number' ? status : undefined,
    headers: isObject(headers)
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      : undefined,
  };
}

/** Whether the document could not be parsed or is not valid. */
export function isDocumentError({ extensions: { code } }: PublicError): boolean {
  return code === 'GRAPHQL_PARSE_FAILED' || code === 'GRAPHQL_VALIDATION_FAILED';
}

export function formatError(
  { status: _status, headers: _headers, extensions, ...error }: PublicError,
  requestId: string,
): GraphQLFormattedError {
  return { ...error, extensions: { ...extensions, requestId } };
}

/** For a document that would take too long to validate, or an operation that would take too long to execute. */
export function tooExpensive(message: string, status = 400): GraphQLError {
  return requestError(status, 'OPERATION_TOO_EXPENSIVE', message);
}

interface Description {
  readonly message: string;
  readonly code: string;
  readonly [extension: string]: unknown;
}

function describe(error: GraphQLError): Description {
  const cause = rootCauseOf(error);
  if (cause instanceof RestError) {
    const { message, code, upstream, retryAfter } = cause;
    return { message, code, ...(upstream && { upstream }), ...(retryAfter !== undefined && { retryAfter }) };
  }
  if (cause instanceof InvalidValue) {
    const message = 'The REST service sent a value that this field cannot hold.';
    return { message, code: 'UPSTREAM_INVALID_RESPONSE' };
  }
  if (cause instanceof GraphQLError) {
    const { code } = cause.extensions;
    return { message: error.message, code: typeof code === 'string' ? code : codeOf(cause) };
  }
  return { message: 'Unexpected error.', code: 'INTERNAL_SERVER_ERROR' };
}

/** The errors of graphql-js have no codes: those that are not syntax errors are about values. */
function codeOf(error: GraphQLError): string {
  return error.message.startsWith('Syntax Error') ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT';
}

export function rootCauseOf(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? rootCauseOf(error.originalError) : error;
}
