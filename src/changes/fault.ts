import { type ErrorCode, RestError, type Upstream } from '../rest/errors.ts';

/** What a stream tells when the service cannot be read, or when it comes to its end. */
export class StreamFault extends RestError {
  /** Where to go on. */
  readonly cursor: string | undefined;
  /** Whether the stream ends with it; else it goes on after `retryAfter` seconds. */
  readonly ends: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly cursor: string | undefined;
      readonly ends: boolean;
      readonly retryAfter?: number | undefined;
      readonly upstream?: Upstream | undefined;
      readonly cause?: unknown;
    },
  ) {
    const { cursor, ends, upstream, ...others } = options;
    super(code, message, { ...others, ...(upstream && { upstream }) });
    this.cursor = cursor;
    this.ends = ends;
  }
}
