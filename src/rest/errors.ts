import { errors } from 'undici';

export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'RATE_LIMITED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_INVALID_RESPONSE'
  | 'OPERATION_TOO_EXPENSIVE'
  | 'LIST_TOO_LONG'
  | 'OVERLOADED'
  | 'REFRESH_OUTCOME_UNKNOWN'
  | 'NOT_CONFIGURED'
  | 'SERVER_STOPPING'
  | 'SLOW_CONSUMER'
  | 'CHANGES_EXPIRED';

/** The failed REST call. `code` and `message` are those of the service, for a 4xx only. */
interface Upstream {
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

type RestErrorOptions = Partial<Pick<RestError, 'upstream' | 'errorType' | 'retryAfter' | 'rows' | 'cause'>>;

/** Stacks take most of the time of an error, and keep the objects of their functions alive. */
export function withoutStack<Made>(make: () => Made): Made {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** An error whose message the caller may see. It has no stack, since the message explains the error. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly upstream: Upstream | undefined;
  readonly errorType: CallErrorType | undefined;
  readonly retryAfter: number | undefined;
  /** How many rows of a list were read before the operation ran out of calls. */
  readonly rows: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: RestErrorOptions = {},
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.upstream = options.upstream;
    this.errorType = options.errorType;
    this.retryAfter = options.retryAfter;
    this.rows = options.rows;
  }
}

/** The service sent a value that does not match the schema, such as null for a required field. */
export class InvalidValue extends RestError {
  constructor(cause: string) {
    const message = 'The REST service sent a value that this field cannot hold.';
    super('UPSTREAM_INVALID_RESPONSE', message, { cause });
  }
}

/** The operation used up its REST calls, after reading `rows` of a list. */
export class CallBudgetExceeded extends RestError {
  constructor(
    readonly used: string,
    rows?: number,
  ) {
    const read = rows === undefined ? '' : ` Records of this list read before: ${rows}.`;
    const message = `${used}.${read} Ask for fewer records or fewer lists, or raise MAX_CALLS.`;
    super('OPERATION_TOO_EXPENSIVE', message, { rows });
  }
}

export function tooManyReads(calls: number, maxCalls: number): RestError {
  const message = `The operation needs at least ${calls} REST calls, and at most ${maxCalls} are allowed. Ask for fewer lists or records at a time.`;
  return new RestError('OPERATION_TOO_EXPENSIVE', message);
}

/** A single instance, which is recognised by identity. */
export const TOO_MANY_READS = new RestError(
  'OPERATION_TOO_EXPENSIVE',
  'The operation requests too many lists or records at once. Request fewer records, or less in each record.',
);

/** Rejects each call of a dry run, once it is recorded. One instance, so that others can recognise it. */
export const NOT_SENT = new RestError('UPSTREAM_UNAVAILABLE', 'A dry run sends no REST calls.');

export function badInput(message: string): RestError {
  return new RestError('BAD_USER_INPUT', message);
}

/** The service violated its contract. Its response is never shown. */
export function invalidResponse(
  upstream: Upstream,
  what: string,
  cause?: unknown,
  errorType: CallErrorType = 'unexpected_body',
): RestError {
  const message = `The REST service sent ${what}.`;
  return new RestError('UPSTREAM_INVALID_RESPONSE', message, { upstream, cause, errorType });
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Codes of Node, OpenSSL and undici by error type, a fixed set without text from the service. */
const ERROR_TYPES = [
  // The connection failed.
  ['connection_refused', 'ECONNREFUSED'],
  ['connection_reset', 'ECONNRESET', 'EPIPE'],
  ['connection_failed'],
  ['unknown_host', 'ENOTFOUND'],
  ['dns_failed', 'EAI_AGAIN'],
  ['host_unreachable', 'EHOSTUNREACH', 'ENETUNREACH'],
  ['proxy_unreachable', 'PROXY_UNREACHABLE'],
  ['proxy_authentication', 'PROXY_AUTHENTICATION'],
  ['proxy_refused', 'PROXY_REFUSED'],
  ['tls_protocol', 'EPROTO', /^ERR_SSL_/],
  ['tls_expired', 'CERT_HAS_EXPIRED'],
  ['tls_not_yet_valid', 'CERT_NOT_YET_VALID'],
  ['tls_self_signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['tls_unknown_issuer', 'SELF_SIGNED_CERT_IN_CHAIN', /^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/],
  ['tls_wrong_host', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  // OpenSSL has some thirty more reasons not to trust a certificate.
  ['tls_certificate', /CERT|CRL|SIGNATURE|_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/],
  // The deadline passed before the connection, the headers or the whole body.
  ['connect_timeout', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  ['answer_timeout'],
  ['body_timeout'],
  // The response is invalid.
  ['closed_early', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
  ['invalid_http', 'UND_ERR_HEADERS_OVERFLOW', /^HPE_/],
  ['invalid_body'],
  ['unexpected_body'],
  ['too_large'],
  ['status_3xx'],
  ['unknown_path'],
  ['status_4xx'],
  ['status_5xx'],
  // The client disconnected, or the operation ran out of time or memory.
  ['aborted'],
  ['internal'],
] as const;

export type CallErrorType = (typeof ERROR_TYPES)[number][0];
export const CALL_ERROR_TYPES: readonly CallErrorType[] = ERROR_TYPES.map(([errorType]) => errorType);

/** Classifies an error of a connection. An error for several addresses of a host has the code of the first. */
export function classifyError(error: unknown): CallErrorType {
  // Not all of these have a code.
  if (error instanceof errors.HTTPParserError) return 'invalid_http';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const matches = (pattern: string | RegExp) =>
    typeof pattern === 'string' ? pattern === code : pattern.test(code);
  return ERROR_TYPES.find(([, ...codes]) => codes.some(matches))?.[0] ?? 'connection_failed';
}

/** Whether the service or the network failed, rather than the caller's token or request. */
export function isServiceError(errorType: CallErrorType): boolean {
  return errorType !== 'status_4xx' && errorType !== 'aborted';
}
