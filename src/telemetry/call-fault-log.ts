import { compositeKey } from '../composite-key.ts';
import type { CallFault } from '../rest/call-fault.ts';
import type { Log } from './log.ts';

const PERIOD_MS = 10_000;

/** A REST attempt that failed by a fault of the service. */
export interface FailedAttempt {
  readonly endpoint: string;
  readonly errorType: CallFault;
  /** 1 for the first; a retry has a higher one. */
  readonly attempt: number;
  readonly status: number | undefined;
}

/**
 * Logs why REST calls fail. An outage fails thousands of them a second: of those that are alike, the first is logged at
 * once, and the others together, every ten seconds.
 */
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
    this.#timer ??= setInterval(() => this.flush(), PERIOD_MS).unref();
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
