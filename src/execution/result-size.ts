import { RestError } from '../rest/errors.ts';

interface ResultLimits {
  /** Members of objects and items of lists, in each row anew and under each alias; what is made counts as several. */
  readonly maxValues: number;
  /** Of the JSON of the data, where each character of a text counts as one. */
  readonly maxBytes: number;
}

/**
 * Counts one answer as it is written out: its values, and the length of its texts and keys, which is the least that it
 * takes as JSON. A few rows that were read may be written out any number of times, under aliases and by joins.
 */
export class ResultSize {
  #values = 0;
  bytes = 0;
  #shares = 1;
  /** Why the operation ends, once it does: whoever writes rows then writes no more. */
  error: RestError | undefined;

  /** `onStop`: called when the operation is ended, so that nothing more is read for it. */
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

  /** Counts anew, for one of so many fields that share the answer of a mutation. */
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

/** The error of a write whose result cannot be told. */
export function afterMutation({ message, code }: RestError): RestError {
  const made = 'The mutation has run, and its writes were made: do not send it again.';
  return new RestError(code, `${message} ${made}`);
}
