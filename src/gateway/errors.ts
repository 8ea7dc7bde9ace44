import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { InvalidValue } from '../execution/run.ts';
import { RestError } from '../rest/errors.ts';
import { isObject } from '../rest/json.ts';

/** All that is shown of an error but the request it belongs to. Holds nothing of the document that it is about. */
export interface PublicError extends GraphQLFormattedError {
  readonly extensions: { readonly code: string; readonly [extension: string]: unknown };
  /** The HTTP status of a response that consists of it alone, and its headers. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is refused before its operation is executed. */
export function requestError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
}

/**
 * Every error leaves through here: always with a code, never with anything of the inside. This is the only
 * place that decides what shows.
 */
export function publicError(error: GraphQLError): PublicError {
  const { message, ...extensions } = describe(error);
  const { code, retryAfter } = extensions;
  const { locations, path } = error;
  const { status = STATUS_OF[code] ?? 400, headers } = httpOf(error);
  return {
    message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions,
    status,
    headers: { ...headers, ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }) },
  };
}

/** Where the request is not at fault: another time, or elsewhere, the same one may succeed. */
const STATUS_OF: { readonly [code: string]: number } = {
  INTERNAL_SERVER_ERROR: 500,
  OVERLOADED: 503,
  UPSTREAM_TIMEOUT: 504,
};

/** What an error says of the HTTP response, in the way of Yoga. */
function httpOf({ extensions: { http } }: GraphQLError) {
  const { status, headers } = isObject(http) ? http : {};
  return {
    status: typeof status === 'number' ? status : undefined,
    headers: isObject(headers)
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      : undefined,
  };
}

/** Whether it says that a document is not GraphQL, or not valid. */
export function isDocumentError({ extensions: { code } }: PublicError): boolean {
  return code === 'GRAPHQL_PARSE_FAILED' || code === 'GRAPHQL_VALIDATION_FAILED';
}

export function formatError(
  { status: _status, headers: _headers, extensions, ...shown }: PublicError,
  requestId: string,
): GraphQLFormattedError {
  return { ...shown, extensions: { ...extensions, requestId } };
}

/** A document that would take long to validate, or an operation that would take long to run. */
export function tooExpensive(message: string, status = 400): GraphQLError {
  return requestError(status, 'OPERATION_TOO_EXPENSIVE', message);
}

interface Description {
  readonly message: string;
  readonly code: string;
  readonly [extension: string]: unknown;
}

function describe(error: GraphQLError): Description {
  const origin = originOf(error);
  if (origin instanceof RestError) {
    const { message, code, upstream, retryAfter } = origin;
    return { message, code, ...(upstream && { upstream }), ...(retryAfter !== undefined && { retryAfter }) };
  }
  if (origin instanceof InvalidValue) {
    const message = 'The REST service sent a value that this field cannot hold.';
    return { message, code: 'UPSTREAM_INVALID_RESPONSE' };
  }
  if (origin instanceof GraphQLError) {
    const { code } = origin.extensions;
    return { message: error.message, code: typeof code === 'string' ? code : codeOf(origin) };
  }
  return { message: 'Unexpected error.', code: 'INTERNAL_SERVER_ERROR' };
}

/** GraphQL itself gives no codes: what is not about the document's syntax is about its values. */
function codeOf(error: GraphQLError): string {
  return error.message.startsWith('Syntax Error') ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT';
}

function originOf(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? originOf(error.originalError) : error;
}
