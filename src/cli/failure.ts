import type { Headers } from 'undici';
import { readRetryAfter } from '../rest/client/error-response.ts';
import { isObject, parseJson } from '../rest/json.ts';

/** Of the process, by codes, for what a script can do something about; 1 for all else. */
const STATUSES: { readonly [code: string]: number } = {
  BAD_USER_INPUT: 2,
  GRAPHQL_VALIDATION_FAILED: 2,
  CHANGES_EXPIRED: 3,
  UNAUTHENTICATED: 4,
};

/** Errors that are over after a while: the gateway's codes, and statuses of a proxy in front of it. */
const TRANSIENT =
  /^(UPSTREAM_UNAVAILABLE|UPSTREAM_TIMEOUT|RATE_LIMITED|OVERLOADED|SERVER_STOPPING|SLOW_CONSUMER|429|502|503|504)$/;

/** Why a command ends before its work is done, in words for whoever runs it. */
export class CommandFailure extends Error {
  readonly status: number;

  constructor(
    message: string,
    /** The gateway's, or the one that it would have. */
    readonly code = '',
    /** How long to wait at least before the same request, which may succeed then; undefined if it will not. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
    this.status = STATUSES[code] ?? 1;
  }
}

/** Of what was given in a file, an option or the environment. */
export function wrongInput(message: string): CommandFailure {
  return new CommandFailure(message, 'BAD_USER_INPUT');
}

/** A command line that is wrong; the message says what, without a full stop: where to read on is added to it. */
export class UsageError extends CommandFailure {
  override readonly status = 2;
}

/** What is wrong with the answer may be right at another time. */
export function broken(message: string): CommandFailure {
  return new CommandFailure(message, '', 0);
}

/** An error as the gateway writes it into the last line of an export: its extensions beside its message. */
export function failureOf(error: { readonly [key: string]: unknown }): CommandFailure {
  const { message = 'The gateway gave no reason.', code = '', retryAfter } = error;
  const text = code === '' ? `${message}` : `${message} (${code})`;
  const waitMs = typeof retryAfter === 'number' ? retryAfter * 1_000 : 0;
  return new CommandFailure(text, `${code}`, TRANSIENT.test(`${code}`) ? waitMs : undefined);
}

/** A response that is not what was asked for: the error of a gateway, or of something in front of it. */
export function failureOfResponse(status: number, headers: Headers, body: string): CommandFailure {
  const retryAfter = readRetryAfter(headers.get('retry-after'));
  const { message, extensions } = firstErrorIn(parseJson(body)) ?? {};
  if (isObject(extensions)) return failureOf({ retryAfter, ...extensions, message });
  const [location, type = 'no type'] = [headers.get('location'), headers.get('content-type') ?? undefined];
  const reason = location
    ? `The address redirects to ${location}: give that one as --url.`
    : `The address answered with ${type}, which is not what such a gateway sends.`;
  return failureOf({ message: reason, code: status, retryAfter });
}

export function firstErrorIn(answer: unknown): { readonly [key: string]: unknown } | undefined {
  const [error] = isObject(answer) && Array.isArray(answer.errors) ? answer.errors : [];
  return isObject(error) ? error : undefined;
}

/** Of a failure, or of the file system; anything else is a fault of this program, and shown with its stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof CommandFailure || (error instanceof Error && 'syscall' in error)) return error.message;
  throw error;
}
