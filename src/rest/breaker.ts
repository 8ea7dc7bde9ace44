import { RestError } from './errors.ts';

const FAILURES = 20;
const PAUSE_MS = 1000;

/** Spares a service that is down, and its callers the wait: after repeated failures calls fail at once. */
export interface Breaker {
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Whether calls are held back, but for the single one that finds out. */
  isOpen(): boolean;
}

/** Once a pause is over a single call finds out whether the service is back. */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let failures = 0;
  let closedUntil = 0;
  let probing = false;

  const isOpen = () => failures >= FAILURES;

  return {
    isOpen,

    async run(call) {
      const isProbe = isOpen();
      if (isProbe) {
        if (probing || now() < closedUntil) {
          const message = 'The REST service has been failing, and is given a moment to recover.';
          throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: PAUSE_MS / 1000 });
        }
        probing = true;
      }
      try {
        const result = await call();
        failures = 0;
        return result;
      } catch (error) {
        if (isOutage(error)) {
          failures += 1;
          closedUntil = now() + PAUSE_MS;
        } else if (error instanceof RestError && error.upstream !== undefined) {
          failures = 0;
        }
        throw error;
      } finally {
        if (isProbe) probing = false;
      }
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
