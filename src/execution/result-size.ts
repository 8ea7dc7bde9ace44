import { RestError } from '../rest/errors.ts';

interface ResultLimits {
  /** Members of objects and items of lists, counted for each row and alias; derived values count as several. */
  readonly maxValues: number;
  /** The length of the data as JSON, where each character counts as one byte. */
  readonly maxBytes: number;
}

/**
 * Counts the values of a result while it is written, and the length of its strings and keys, which is the minimum of its
 * JSON. Aliases and joins can write a few rows any number of times.
 */
export class ResultSize {
  #values = 0;
  bytes = 0;
  #shares = 1;
  /** Set once the operation is stopped: no more rows are written then. */
  error: RestError | undefined;

  /** `onStop` is called when the operation is stopped, so that it reads nothing more. */
  constructor(
    private readonly limits: ResultLimits,
    private readonly onStop?: () => void,
  ) {}

  add(values: number, bytes: number): void {
    this.#values += values;
    this.bytes += bytes;
    const { maxValues } = this.limits;
    const maxBytes = this.limits.maxBytes / this.#shares;
    if (this.bytes > maxBytes) this.stop(tooExpensive(`is longer than ${Math.floor(maxBytes)} bytes`));
    else if (this.#values > maxValues) this.stop(tooExpensive(`has more than ${maxValues} values`));
  }

  stop(error: RestError): void {
    if (this.error) return;
    this.error = error;
    this.onStop?.();
  }

  /** Restarts the count for one of the fields that share the result of a mutation. */
  reset(shares: number): void {
    this.#values = 0;
    this.bytes = 0;
    this.#shares = shares;
  }
}

function tooExpensive(problem: string): RestError {
  const message = `The result ${problem}. Request fewer records, fields or lists.`;
  return new RestError('OPERATION_TOO_EXPENSIVE', message);
}

/** Returns the error of a write that succeeded, but has a result that is too large. */
export function afterMutation({ message, code }: RestError): RestError {
  const notice = 'The mutation completed and its changes were saved. Do not send it again.';
  return new RestError(code, `${message} ${notice}`);
}
