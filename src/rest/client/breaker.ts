import { type CallErrorType, RestError } from '../errors.ts';

const FAILURE_THRESHOLD = 20;
const OPEN_MS = 1000;

type OnChange = (state: 'open' | 'closed', errorType: CallErrorType | undefined) => void;

/** After 20 failures in a row, calls to an endpoint fail at once, except one a second, which is a probe. */
export class Breaker {
  #failures = 0;
  /** When the next probe may be sent, while the breaker is open. */
  #probeAt: number | undefined;
  #isProbing = false;

  constructor(private readonly onChange: OnChange) {}

  get state(): 'closed' | 'half-open' | 'open' {
    if (this.#probeAt === undefined) return 'closed';
    return this.#isProbing ? 'half-open' : 'open';
  }

  check(): void {
    if (this.#probeAt === undefined || performance.now() >= this.#probeAt) return;
    const message = 'The REST service keeps failing. Calls to it are paused briefly.';
    throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: OPEN_MS / 1000 });
  }

  /** Throws if the call has to fail at once. Returns whether it is a probe. A slow probe does not delay the next. */
  begin(): boolean {
    this.check();
    this.#isProbing = this.#probeAt !== undefined;
    if (this.#isProbing) this.#probeAt = performance.now() + OPEN_MS;
    return this.#isProbing;
  }

  end(error?: unknown): void {
    this.#isProbing = false;
    // A call that was cancelled, or that the gateway rejected, says nothing about the service.
    if (error !== undefined && !(error instanceof RestError && error.upstream)) return;
    const isFailure = error !== undefined && isOutage(error);
    this.#failures = isFailure ? this.#failures + 1 : 0;
    const isOpen = this.#probeAt !== undefined;
    if (isFailure === isOpen || (isFailure && this.#failures < FAILURE_THRESHOLD)) return;
    this.#probeAt = isFailure ? performance.now() + OPEN_MS : undefined;
    this.onChange(isFailure ? 'open' : 'closed', isFailure ? error.errorType : undefined);
  }
}

export function isOutage({ code, upstream }: RestError): boolean {
  if (upstream === undefined) return false;
  if (code === 'UPSTREAM_TIMEOUT') return true;
  return code === 'UPSTREAM_UNAVAILABLE' && [undefined, 502, 503, 504].includes(upstream.status);
}
