import { GraphQLError } from 'graphql';
import { UnfitValue } from './execution/compile.ts';
import { RestError } from './rest/errors.ts';
import { isObject } from './rest/json.ts';

/**
 * An error as callers see it: always with a code, never with anything of the inside. This is the only
 * place that decides what shows.
 */
export function publicError(error: GraphQLError, requestId: string): GraphQLError {
  const { nodes, source, positions, path, extensions } = error;
  const { message, ...shown } = describe(error);
  // Yoga takes the status from `http`, which never shows. For a document that is not GraphQL it knows that
  // clients of application/json want a 200; every other refusal is a 4xx for everybody.
  const isSyntax = /^GRAPHQL_(PARSE|VALIDATION)_FAILED$/.test(shown.code);
  const http = isObject(extensions.http) && {
    http: isSyntax ? extensions.http : { ...extensions.http, spec: false },
  };
  return new GraphQLError(message, {
    ...(nodes && { nodes }),
    ...(source && { source }),
    ...(positions && { positions }),
    ...(path && { path }),
    extensions: { ...http, ...shown, requestId },
  });
}

/** Whether an error is the gateway's own fault, which nobody foresaw. */
export function isUnexpected(error: GraphQLError): boolean {
  return describe(error).code === 'INTERNAL_SERVER_ERROR';
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
    return {
      message: 'The REST service sent a value that this field cannot hold.',
      code: 'UPSTREAM_INVALID_RESPONSE',
    };
  }
  if (origin instanceof GraphQLError) {
    const { code } = origin.extensions;
    return { message: error.message, code: typeof code === 'string' ? code : 'BAD_USER_INPUT' };
  }
  return { message: 'Unexpected error.', code: 'INTERNAL_SERVER_ERROR', unexpected: true };
}

function originOf(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? originOf(error.originalError) : error;
}
