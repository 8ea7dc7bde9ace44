import { RestError } from './errors.ts';

const FAILURES = 20;
const PAUSE_MS = 1000;

/** Spares a service that is down, and its callers the wait: after repeated failures calls fail at once. */
export interface Breaker {
  /** Lets a call be made, or throws. What it gives takes the end of that call: its error, or none. */
  begin(): (error?: unknown) => void;
  /** Whether calls are held back, but for the single one that finds out. */
  isOpen(): boolean;
}

/** Once a pause is over a single call finds out whether the service is back. */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let failures = 0;
  let closedUntil = 0;
  let probing = false;

  const isOpen = () => failures >= FAILURES;

  function end(error?: unknown): void {
    if (isOutage(error)) {
      failures += 1;
      closedUntil = now() + PAUSE_MS;
    } else if (error === undefined || (error instanceof RestError && error.upstream !== undefined)) {
      failures = 0;
    }
  }

  function endProbe(error?: unknown): void {
    probing = false;
    end(error);
  }

  return {
    isOpen,

    begin() {
      if (!isOpen()) return end;
      if (probing || now() < closedUntil) {
        const message = 'The REST service has been failing, and is given a moment to recover.';
        throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: PAUSE_MS / 1000 });
      }
      probing = true;
      return endProbe;
    },
  };
}

/** An answer of any kind shows that the service is up; an error that does not name it shows nothing. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof RestError) || error.upstream === undefined) return false;
  const { status } = error.upstream;
  if (error.code === 'UPSTREAM_TIMEOUT') return true;
  return error.code === 'UPSTREAM_UNAVAILABLE' && [undefined, 502, 503, 504].includes(status);
}
