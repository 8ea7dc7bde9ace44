import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { StreamError } from '../changes/change.ts';
import type { Exchange } from '../request/exchange.ts';
import { RestError } from '../rest/errors.ts';
import { getSafeDetails } from '../telemetry/log.ts';
import type { Observation } from '../telemetry/observation.ts';

/** Messages quote names of documents and variables, which may be as long as a request. */
const MAX_MESSAGE_LENGTH = 1_000;

/** Where a result of a stream is: whether it is the last one, and the cursor from which clients can resume. */
export type StreamPosition = { readonly isLast: boolean; readonly cursor?: string | undefined };

/** Statuses of results without data. A client can retry after a 5xx. */
const STATUSES: { readonly [code: string]: number } = {
  INTERNAL_SERVER_ERROR: 500,
  OVERLOADED: 503,
  UPSTREAM_TIMEOUT: 504,
};
/** An export has no result beside the errors of its list, so more codes have statuses. */
const EXPORT_STATUSES: typeof STATUSES = {
  ...STATUSES,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  UPSTREAM_INVALID_RESPONSE: 502,
  UPSTREAM_UNAVAILABLE: 502,
};

export type PublicError = ReturnType<typeof toPublicError>;

/**
 * Returns what clients see of an error, and its status and headers. Every error gets a code, and none shows internal
 * details. The result is a plain object: creating a GraphQLError would double the time of a failed field.
 */
export function toPublicError(
  error: GraphQLError,
  exchange: Exchange,
  observation: Observation,
  stream?: StreamPosition,
) {
  const { message, ends, ...extensions } = describe(error);
  const { code, retryAfter } = extensions;
  const { locations, path } = error;
  const isUnexpected = code === 'INTERNAL_SERVER_ERROR';
  observation.addCode(code);
  if (isUnexpected) logUnexpectedError(getRootCause(error), exchange, observation);
  const defaultStatus = (exchange.responseForm.kind === 'export' ? EXPORT_STATUSES : STATUSES)[code] ?? 400;
  const { status = defaultStatus, headers } = error.extensions.http ?? {};
  const visible: GraphQLFormattedError = {
    message: message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: {
      ...extensions,
      requestId: observation.logEntry.requestId,
      ...(stream && { ends: ends ?? (stream.isLast || isUnexpected), cursor: stream.cursor }),
    },
  };
  return {
    visible,
    code,
    /** For a response without data. */
    status,
    headers: {
      ...headers,
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(defaultStatus === 401 && { 'www-authenticate': 'Bearer' }),
    },
  };
}

export function logUnexpectedError(error: unknown, { state }: Exchange, { logEntry }: Observation): void {
  const { requestId } = logEntry;
  state.log('error', 'unexpected error', { requestId, ...getSafeDetails(error) });
}

function describe(error: GraphQLError): { message: string; code: string; [extension: string]: unknown } {
  const cause = getRootCause(error);
  if (cause instanceof RestError) {
    const { message, code, upstream, retryAfter, rows } = cause;
    const ends = cause instanceof StreamError ? cause.ends : undefined;
    return { message, code, upstream, retryAfter, rows, ends };
  }
  // Yoga marks thrown values that are not errors, such as strings.
  if (!(cause instanceof GraphQLError) || cause.extensions.unexpected)
    return { message: 'Unexpected error.', code: 'INTERNAL_SERVER_ERROR' };
  // Errors of graphql-js have no code: apart from syntax errors, they are about values.
  const isSyntaxError = cause.message.startsWith('Syntax Error');
  const { code = isSyntaxError ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT', http } = cause.extensions;
  const retryAfter = http?.headers?.['retry-after'];
  return { message: error.message, code: String(code), retryAfter: retryAfter && Number(retryAfter) };
}

function getRootCause(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? getRootCause(error.originalError) : error;
}
