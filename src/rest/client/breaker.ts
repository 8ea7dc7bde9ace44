import { type CallErrorType, RestError } from '../errors.ts';

const FAILURE_THRESHOLD = 20;
const OPEN_MS = 1000;

type OnChange = (state: 'open' | 'closed', errorType: CallErrorType | undefined) => void;

/**
 * Protects an endpoint that is down, and saves its callers the wait: after 20 failures without a response in between its
 * calls fail at once, but for one a second, which probes whether it is back.
 */
export class Breaker {
  #failures = 0;
  /** While it is open: when the next probe may be sent. */
  #probeAt: number | undefined;
  #isProbing = false;

  constructor(private readonly onChange: OnChange) {}

  get state(): 'closed' | 'half-open' | 'open' {
    if (this.#probeAt === undefined) return 'closed';
    return this.#isProbing ? 'half-open' : 'open';
  }

  /** Throws if a call has to fail at once. */
  check(): void {
    if (this.#probeAt === undefined || performance.now() >= this.#probeAt) return;
    const message = 'The REST service has been failing, and is given a moment to recover.';
    throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: OPEN_MS / 1000 });
  }

  /** Admits a call, or throws; returns whether the call is a probe. A slow probe holds back no other. */
  begin(): boolean {
    this.check();
    this.#isProbing = this.#probeAt !== undefined;
    if (this.#isProbing) this.#probeAt = performance.now() + OPEN_MS;
    return this.#isProbing;
  }

  end(error?: unknown): void {
    this.#isProbing = false;
    // It was cancelled, or refused by the gateway itself, and has shown nothing.
    if (error !== undefined && !(error instanceof RestError && error.upstream)) return;
    const isFailure = error !== undefined && isOutage(error);
    this.#failures = isFailure ? this.#failures + 1 : 0;
    const isOpen = this.#probeAt !== undefined;
    if (isFailure === isOpen || (isFailure && this.#failures < FAILURE_THRESHOLD)) return;
    this.#probeAt = isFailure ? performance.now() + OPEN_MS : undefined;
    this.onChange(isFailure ? 'open' : 'closed', isFailure ? error.errorType : undefined);
  }
}

/** No connection, no answer in time, or a service that says that it is out of order. */
export function isOutage({ code, upstream }: RestError): boolean {
  if (upstream === undefined) return false;
  if (code === 'UPSTREAM_TIMEOUT') return true;
  return code === 'UPSTREAM_UNAVAILABLE' && [undefined, 502, 503, 504].includes(upstream.status);
}
