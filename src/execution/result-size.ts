import { RestError } from '../rest/errors.ts';

interface ResultLimits {
  /** Counts members of objects and items of lists, for each row and alias. Computed values count as several. */
  readonly maxValues: number;
  /** Limits the JSON of the data. Each character counts as one byte. */
  readonly maxBytes: number;
}

/** Counts the values and JSON size of a result. Aliases and joins may write a row many times. */
export class ResultSize {
  #values = 0;
  bytes = 0;
  #shares = 1;
  /** The error that stops the operation. Writers check it. */
  error: RestError | undefined;

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
  const message = `The answer ${problem}. Ask for fewer rows, fields or lists.`;
  return new RestError('OPERATION_TOO_EXPENSIVE', message);
}

export function afterMutation({ message, code }: RestError): RestError {
  const notice = 'The mutation has run, and its writes were made: do not send it again.';
  return new RestError(code, `${message} ${notice}`);
}
