import { GraphQLError } from 'graphql';

/**
 * A request that is refused. Its status and headers are in `extensions.http`, where Yoga looks for them; what clients
 * see of it is its message and its code.
 */
export class RequestError extends GraphQLError {
  readonly status: number;
  readonly code: string;
  /** By names in lower case: the Headers of Yoga do not replace a name in another case. */
  readonly headers: Readonly<Record<string, string>>;

  /** Of an array that is refused: how many answers its client waits for. */
  readonly answers: number | undefined = undefined;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message, { extensions: { code, http: { status, headers } } });
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** For a document that would take too long to validate, or an operation that would take too long to execute. */
export function tooExpensive(message: string, status = 400): RequestError {
  return new RequestError(status, 'OPERATION_TOO_EXPENSIVE', message);
}

export function badRequest(message: string): RequestError {
  return new RequestError(400, 'BAD_REQUEST', message);
}
