import { compositeKey } from '../composite-key.ts';
import type { CallFault } from '../rest/call-fault.ts';
import type { Log } from './log.ts';

const CALLS_PERIOD_MS = 10_000;

/** A REST attempt that failed by a fault of the service. */
export interface FailedAttempt {
  readonly endpoint: string;
  readonly errorType: CallFault;
  /** 1 for the first; a retry has a higher one. */
  readonly attempt: number;
  readonly status: number | undefined;
}

/** Logs why REST calls fail: of those that are alike the first at once, and the others together, every ten seconds. */
export function createCallFaultLog(log: Log, service: string) {
  const allAlike = new Map<string, { readonly first: FailedAttempt; unlogged: number }>();
  let timer: NodeJS.Timeout | undefined;

  // The service is for operators only: callers must not learn the address.
  const write = (failed: FailedAttempt, count?: number) =>
    log('warn', 'REST call failed', { service, ...failed, count });

  function flush(): void {
    for (const [key, alike] of allAlike) {
      if (alike.unlogged === 0) allAlike.delete(key);
      else write(alike.first, alike.unlogged);
      alike.unlogged = 0;
    }
    if (allAlike.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(failed: FailedAttempt): void {
      const { endpoint, errorType, attempt } = failed;
      // Of each there are a few: no key holds what the service or a caller has sent.
      const key = compositeKey(endpoint, errorType, String(attempt));
      const known = allAlike.get(key);
      if (known) {
        known.unlogged += 1;
        return;
      }
      allAlike.set(key, { first: failed, unlogged: 0 });
      write(failed);
      timer ??= setInterval(flush, CALLS_PERIOD_MS).unref();
    },
    flush,
  };
}

const SHED_PERIOD_MS = 1_000;

/** Overload rejects thousands of requests a second, so they are logged together: one line a second at most. */
export function createShedLog(log: Log) {
  let counts: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    if (timer) log('warn', 'requests shed', counts);
    timer = undefined;
    counts = {};
  }

  return {
    add(reason: string): void {
      counts[reason] = (counts[reason] ?? 0) + 1;
      timer ??= setTimeout(flush, SHED_PERIOD_MS).unref();
    },
    flush,
  };
}

const ORIGINS_PERIOD_MS = 60_000;
/** Clients that make up origins can fill this many lines a minute, and no more memory than they take. */
const MAX_ORIGINS = 50;

/** What browsers send. Anything else may be any text, and is not logged. */
const ORIGIN = /^[a-z][a-z\d+.-]{0,30}:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Logs the origins whose pages may not read answers, each at most once a minute. */
export function createOriginLog(log: Log): (given: string) => void {
  const logged = new Set<string>();
  return (given) => {
    // Browsers themselves send `null` for pages without an origin.
    const origin = ORIGIN.test(given) ? given.toLowerCase() : 'null';
    if (logged.has(origin) || logged.size >= MAX_ORIGINS) return;
    logged.add(origin);
    setTimeout(() => logged.delete(origin), ORIGINS_PERIOD_MS).unref();
    const wayOut = /^https?:/.test(origin)
      ? 'to allow them, add it to CORS_ORIGINS'
      : 'CORS_ORIGINS takes only http and https origins';
    log('warn', `CORS: pages of this origin may not read answers; ${wayOut}`, { origin });
  };
}
