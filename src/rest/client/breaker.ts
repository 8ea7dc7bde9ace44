import type { CallFault } from '../call-fault.ts';
import { RestError } from '../errors.ts';

type BreakerState = 'closed' | 'half-open' | 'open';
/** With why the last call failed, where it has opened. */
type OnChange = (state: 'open' | 'closed', fault: CallFault | undefined) => void;

const FAILURE_THRESHOLD = 20;
const OPEN_MS = 1000;

/**
 * Protects an endpoint that is down, and saves its callers the wait: after 20 failures without a response in between its
 * calls fail at once, but for one a second, which probes whether it is back.
 */
export class Breaker {
  readonly #onChange: OnChange;
  readonly #now: () => number;
  #failures = 0;
  /** While it is open: when the next probe may be sent. */
  #probeAt: number | undefined;
  #isProbing = false;

  constructor(onChange: OnChange, now = () => performance.now()) {
    this.#onChange = onChange;
    this.#now = now;
  }

  get state(): BreakerState {
    if (this.#probeAt === undefined) return 'closed';
    return this.#isProbing ? 'half-open' : 'open';
  }

  /** Throws if a call has to fail at once. */
  check(): void {
    if (this.#probeAt === undefined || this.#now() >= this.#probeAt) return;
    const message = 'The REST service has been failing, and is given a moment to recover.';
    throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: OPEN_MS / 1000 });
  }

  /** Admits a call, or throws; returns whether the call is a probe. A slow probe holds back no other. */
  begin(): boolean {
    this.check();
    if (this.#probeAt === undefined) return false;
    this.#isProbing = true;
    this.#probeAt = this.#now() + OPEN_MS;
    return true;
  }

  end(isProbe: boolean, error?: unknown): void {
    if (isProbe) this.#isProbing = false;
    // It was cancelled, or refused by the gateway itself, and has shown nothing.
    const hasShownNothing = error !== undefined && !(error instanceof RestError && error.upstream);
    if (hasShownNothing && isProbe && this.#probeAt !== undefined) this.#probeAt = this.#now();
    if (hasShownNothing) return;
    const isFailure = error instanceof RestError && isOutage(error);
    this.#failures = isFailure ? this.#failures + 1 : 0;
    const isOpen = this.#probeAt !== undefined;
    if (isFailure === isOpen || (isFailure && this.#failures < FAILURE_THRESHOLD)) return;
    this.#probeAt = isFailure ? this.#now() + OPEN_MS : undefined;
    this.#onChange(isFailure ? 'open' : 'closed', isFailure ? error.fault : undefined);
  }
}

/** No connection, no answer in time, or a service that says that it is out of order. */
export function isOutage({ code, upstream }: RestError): boolean {
  if (code === 'UPSTREAM_TIMEOUT') return upstream !== undefined;
  return (
    code === 'UPSTREAM_UNAVAILABLE' && !!upstream && [undefined, 502, 503, 504].includes(upstream.status)
  );
}
