import { readRetryAfter } from '../rest/client/error-response.ts';
import { isObject, parseJson } from '../rest/json.ts';

/** Why a command ends before its work is done, in words for whoever runs it. */
export class CommandFailure extends Error {
  /** Of the process: 2 for what is wrong with the command line, 1 for all else that has no status of its own. */
  readonly status: number = 1;
  /** The gateway's, where it gives one, or the system's. */
  readonly code: string | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean = false;
  /** How long the gateway asks to wait. */
  readonly retryAfterMs: number = 0;

  constructor(message: string, options: FailureOptions = {}) {
    super(message);
    Object.assign(this, options);
  }
}

type FailureOptions = Partial<Pick<CommandFailure, 'status' | 'code' | 'isTransient' | 'retryAfterMs'>>;

/** Of the process, for what a script can do something about. */
const STATUSES: { readonly [code: string]: number } = {
  BAD_USER_INPUT: 2,
  GRAPHQL_VALIDATION_FAILED: 2,
  CHANGES_EXPIRED: 3,
  UNAUTHENTICATED: 4,
};

/** Codes of errors that are over after a while. */
const TRANSIENT_CODES = [
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVER_STOPPING',
  'SLOW_CONSUMER',
];
/** For responses without a code, such as those of a proxy. */
const TRANSIENT_STATUSES = [429, 502, 503, 504];

/** An error as the gateway writes it into the last line of an export: its extensions beside its message. */
export function failureOf(error: { readonly [key: string]: unknown }, retryAfterMs = 0): CommandFailure {
  const { message, code: given, retryAfter } = error;
  const text = typeof message === 'string' ? message : 'The gateway gave no reason.';
  const code = typeof given === 'string' ? given : undefined;
  const wait = typeof retryAfter === 'number' ? retryAfter * 1_000 : 0;
  return new CommandFailure(code === undefined ? text : `${text} (${code})`, {
    code,
    status: STATUSES[code ?? ''] ?? 1,
    isTransient: code !== undefined && TRANSIENT_CODES.includes(code),
    retryAfterMs: Math.max(wait, retryAfterMs),
  });
}

/** A response that is not what was asked for: the error of a gateway, or of something in front of it. */
export function failureOfResponse(status: number, retryAfter: string | null, body: string): CommandFailure {
  const retryAfterMs = 1_000 * (readRetryAfter(retryAfter ?? undefined) ?? 0);
  const error = firstErrorIn(parseJson(body));
  if (isObject(error?.extensions) && typeof error.extensions.code === 'string')
    return failureOf({ ...error.extensions, message: error.message }, retryAfterMs);
  return new CommandFailure(`The gateway answered with status ${status} and gave no reason.`, {
    isTransient: TRANSIENT_STATUSES.includes(status),
    retryAfterMs,
  });
}

export function firstErrorIn(answer: unknown): { readonly [key: string]: unknown } | undefined {
  const [error] = isObject(answer) && Array.isArray(answer.errors) ? answer.errors : [];
  return isObject(error) ? error : undefined;
}

/** Of what was given in a file, an option or the environment. */
export function wrongInput(message: string): CommandFailure {
  return new CommandFailure(message, { status: 2 });
}

/** Of a failure, or of the file system; anything else is a fault of this program, and shown with its stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof CommandFailure || (error instanceof Error && 'syscall' in error)) return error.message;
  throw error;
}

/** Text of the gateway as a sentence, which does not quote the token. */
export function sentenceWithout(token: string, text: string): string {
  const hidden = text.replaceAll(token, '***');
  return /[.!?)]$/.test(hidden) ? hidden : `${hidden}.`;
}

/** A command line that is wrong; the message says what, without a full stop: where to read on is added to it. */
export class UsageError extends CommandFailure {
  override readonly status = 2;
}
