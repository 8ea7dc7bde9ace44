import type { Log } from './log.ts';

const PERIOD_MS = 60_000;
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
    const oldest = this.#now() - PERIOD_MS;
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
