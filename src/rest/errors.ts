import type { CallFault } from './call-fault.ts';

/** Error codes, as callers see them in `extensions.code`. */
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

/** The REST call that failed; `code` and `message` are those of the service, for a 4xx only. */
interface Upstream {
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

type RestErrorOptions = Partial<Pick<RestError, 'upstream' | 'fault' | 'retryAfter' | 'rows' | 'cause'>>;

/** Stacks take most of the time of an error, and keep what their functions work on. */
export function withoutStack<Made>(make: () => Made): Made {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** An error whose message may be shown to the caller; without a stack, which would tell nothing of a call or an argument. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly upstream: Upstream | undefined;
  /** Of a call that failed: why, for operators. */
  readonly fault: CallFault | undefined;
  /** Seconds, if the service sent a Retry-After. */
  readonly retryAfter: number | undefined;
  /** Of a list that the operation had no calls left for: how many of its rows were read. */
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
    this.fault = options.fault;
    this.retryAfter = options.retryAfter;
    this.rows = options.rows;
  }
}

/** A value of the service that does not match its type in the schema, such as a null where there must be a value. */
export class InvalidValue extends RestError {
  constructor(cause: string) {
    const message = 'The REST service sent a value that this field cannot hold.';
    super('UPSTREAM_INVALID_RESPONSE', message, { cause });
  }
}

/** The operation has made all REST calls that it may make; with how many rows were read of a list. */
export class NoCallsLeft extends RestError {
  constructor(
    readonly used: string,
    rows?: number,
  ) {
    const read = rows === undefined ? '' : ` Rows of this list read before: ${rows}.`;
    const message = `${used}.${read} Ask for fewer rows or fewer lists, or raise MAX_CALLS.`;
    super('OPERATION_TOO_EXPENSIVE', message, { rows });
  }
}

/** Whatever is cached, the operation asks for more than it may read. */
export function tooManyReads(calls: number, maxCalls: number): RestError {
  const message = `The operation needs at least ${calls} REST calls, and at most ${maxCalls} are allowed. Ask for fewer lists or records at a time.`;
  return new RestError('OPERATION_TOO_EXPENSIVE', message);
}

/** One for all, by which it is recognised. */
export const TOO_MANY_LOADS = new RestError(
  'OPERATION_TOO_EXPENSIVE',
  'The operation asks for too many lists or records at once. Ask for fewer rows, or less in each of them.',
);

export function badInput(message: string): RestError {
  return new RestError('BAD_USER_INPUT', message);
}

/** The service violated its contract; the response itself is never shown. */
export function invalid(
  upstream: Upstream,
  what: string,
  cause?: unknown,
  fault: CallFault = 'unexpected_body',
): RestError {
  const message = `The REST service gave ${what}.`;
  return new RestError('UPSTREAM_INVALID_RESPONSE', message, { upstream, cause, fault });
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
