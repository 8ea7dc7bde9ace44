/** Of the process, by codes, for what a script can do something about; 1 for all else. */
const STATUSES: { readonly [code: string]: number } = {
  BAD_USER_INPUT: 2,
  GRAPHQL_VALIDATION_FAILED: 2,
  CHANGES_EXPIRED: 3,
  UNAUTHENTICATED: 4,
};

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
export function inputError(message: string): CommandFailure {
  return new CommandFailure(message, 'BAD_USER_INPUT');
}

/** A command line that is wrong; the message says what, without a full stop: where to read on is added to it. */
export class UsageError extends CommandFailure {
  override readonly status = 2;
}

/** Of a failure, or of the file system; anything else is a fault of this program, and shown with its stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof CommandFailure || (error instanceof Error && 'syscall' in error)) return error.message;
  throw error;
}
