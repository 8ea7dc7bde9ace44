import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { UnfitValue } from './execution/run.ts';
import { RestError } from './rest/errors.ts';
import { isObject } from './rest/json.ts';

/** An error as callers see it, and the HTTP status of an answer that consists of it alone. */
export interface PublicError {
  readonly formatted: GraphQLFormattedError & { readonly extensions: { readonly code: string } };
  readonly status: number;
}

/** All that is shown of an error but the request it belongs to. Holds nothing of the document that it is about. */
export interface ShownError extends GraphQLFormattedError {
  readonly extensions: { readonly code: string; readonly [extension: string]: unknown };
  readonly status: number;
}

/**
 * Every error leaves through here: always with a code, never with anything of the inside. This is the only
 * place that decides what shows.
 */
export function shownError(error: GraphQLError): ShownError {
  const { message, ...extensions } = describe(error);
  const { locations, path } = error;
  const { http } = error.extensions;
  const status = isObject(http) && typeof http.status === 'number' ? http.status : undefined;
  return {
    message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions,
    status: status ?? (extensions.code === 'INTERNAL_SERVER_ERROR' ? 500 : 400),
  };
}

export function publicError({ status, extensions, ...shown }: ShownError, requestId: string): PublicError {
  return { formatted: { ...shown, extensions: { ...extensions, requestId } }, status };
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
  if (origin instanceof UnfitValue) {
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
