/** Exit statuses by code, for errors that a script can handle; 1 for all others. */
const STATUSES: { readonly [code: string]: number } = {
  BAD_USER_INPUT: 2,
  GRAPHQL_VALIDATION_FAILED: 2,
  CHANGES_EXPIRED: 3,
  UNAUTHENTICATED: 4,
};

export class CommandFailure extends Error {
  readonly status: number;

  constructor(
    message: string,
    readonly code = '',
    /** The least delay before a retry; undefined if a retry is useless. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
    this.status = STATUSES[code] ?? 1;
  }
}

export function inputError(message: string): CommandFailure {
  return new CommandFailure(message, 'BAD_USER_INPUT');
}

/** A wrong command line. The message has no full stop, since a pointer to the help is appended. */
export class UsageError extends CommandFailure {
  override readonly status = 2;
}

/** Returns the message of an expected error. Rethrows any other, to show its stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof CommandFailure || (error instanceof Error && 'syscall' in error)) return error.message;
  throw error;
}

/** Describes expected errors in parts. Anything else is a fault of this program. */
export function describeErrors(thrown: unknown, redact: (text: string) => string): object[] {
  return (thrown instanceof AggregateError ? thrown.errors : [thrown]).map((error: unknown) => {
    if (error instanceof CommandFailure) return { message: redact(error.message), code: error.code };
    // An error of GraphQL, which not every command loads.
    if (error instanceof Error && 'locations' in error)
      return { message: error.message, ...Object(error.locations)[0] };
    throw error;
  });
}
