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
export class CallFaultLog {
  readonly #log: Log;
  /** For operators only: callers must not learn the address. */
  readonly #service: string;
  readonly #alike = new Map<string, { readonly first: FailedAttempt; unlogged: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, service: string) {
    this.#log = log;
    this.#service = service;
  }

  add(failed: FailedAttempt): void {
    const { endpoint, errorType, attempt } = failed;
    // Of each there are a few: no key holds what the service or a caller has sent.
    const key = compositeKey(endpoint, errorType, String(attempt));
    const known = this.#alike.get(key);
    if (known) {
      known.unlogged += 1;
      return;
    }
    this.#alike.set(key, { first: failed, unlogged: 0 });
    this.#write(failed);
    this.#timer ??= setInterval(() => this.flush(), CALLS_PERIOD_MS).unref();
  }

  flush(): void {
    for (const [key, alike] of this.#alike) {
      if (alike.unlogged === 0) this.#alike.delete(key);
      else this.#write(alike.first, alike.unlogged);
      alike.unlogged = 0;
    }
    if (this.#alike.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #write(failed: FailedAttempt, count?: number): void {
    this.#log('warn', 'REST call failed', { service: this.#service, ...failed, count });
  }
}

const SHED_PERIOD_MS = 1_000;

/** Overload rejects thousands of requests a second, so they are logged together: one line a second at most. */
export class ShedLog {
  readonly #log: Log;
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  add(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.flush(), SHED_PERIOD_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    this.#log('warn', 'requests shed', Object.fromEntries(this.#counts));
    this.#counts = new Map();
  }
}

const ORIGINS_PERIOD_MS = 60_000;
/** Clients that make up origins can fill this many lines a minute, and no more memory than they take. */
const MAX_ORIGINS = 50;

/** What browsers send. Anything else may be any text, and is not logged. */
const ORIGIN = /^[a-z][a-z\d+.-]{0,30}:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Logs the origins whose pages may not read answers, each at most once a minute. */
export class RefusedOrigins {
  readonly #log: Log;
  readonly #now: () => number;
  /** When each was logged, in that order. */
  readonly #loggedAt = new Map<string, number>();

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  add(given: string): void {
    // Browsers themselves send `null` for pages without an origin.
    const origin = ORIGIN.test(given) ? given.toLowerCase() : 'null';
    this.#forgetOld();
    if (this.#loggedAt.has(origin) || this.#loggedAt.size >= MAX_ORIGINS) return;
    this.#loggedAt.set(origin, this.#now());
    this.#log('warn', /^https?:/.test(origin) ? CAN_BE_LISTED : CANNOT_BE_LISTED, { origin });
  }

  #forgetOld(): void {
    const oldest = this.#now() - ORIGINS_PERIOD_MS;
    for (const [origin, loggedAt] of this.#loggedAt) {
      if (loggedAt > oldest) return;
      this.#loggedAt.delete(origin);
    }
  }
}

const CAN_BE_LISTED =
  'CORS: pages of this origin may not read answers; to allow them, add it to CORS_ORIGINS';
const CANNOT_BE_LISTED =
  'CORS: pages of this origin may not read answers; CORS_ORIGINS takes only http and https origins';
