import { RestError } from '../errors.ts';

/** The client closed its connection, the deadline passed, or the operation's memory is needed for others. */
export type AbortReason = 'closed' | 'timeout' | 'evicted';

/**
 * Whether anybody still waits for a response. It does what an AbortSignal does, without events: in a profile of a small
 * query, signals and their exceptions took about a tenth of the time.
 */
export class Cancellation {
  #reason: AbortReason | undefined;
  #listeners: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  /** The first reason counts; later ones are ignored. */
  abort(reason: AbortReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    clearTimeout(this.#timer);
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  abortAfter(milliseconds: number): void {
    if (this.#reason === undefined) this.#timer = setTimeout(() => this.abort('timeout'), milliseconds);
  }

  /** Calls the listener once, at once where it was aborted before. */
  onAbort(listener: () => void): void {
    if (this.#reason === undefined) this.#listeners.push(listener);
    else listener();
  }

  offAbort(listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners.splice(index, 1);
  }

  /** What an aborted call fails with. The service is not to blame, so it is not named. */
  error(): RestError {
    if (this.#reason === 'timeout') return new RestError('UPSTREAM_TIMEOUT', 'The operation took too long.');
    if (this.#reason === 'evicted') {
      const message = 'Too much is being read at once. Ask for less, or try again in a moment.';
      return new RestError('OVERLOADED', message, { retryAfter: 1 });
    }
    return new RestError('UPSTREAM_UNAVAILABLE', 'The caller left before the REST service answered.');
  }
}
