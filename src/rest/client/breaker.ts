import { RestError } from '../errors.ts';

const FAILURES = 20;
/** What one owner's failures count for at most, where all callers are concerned. */
const FAILURES_OF_ONE = FAILURES / 2;
const PAUSE_MS = 1000;
const PROBE_MS = 2000;

export interface BreakerOptions {
  /** How long a first probe may take. */
  readonly probeMs?: number;
  readonly now?: () => number;
}

/** While calls fail at once. */
export interface Pause {
  /** Whose calls do; everybody's where there is none. */
  readonly owner: string | undefined;
  until: number;
  /** Whether a call is finding out whether the endpoint is back. */
  isProbing: boolean;
  /** How long that call may take. */
  probeMs: number;
  lastProbe: string | undefined;
}

/**
 * The circuit breaker of one endpoint: spares an endpoint that is down, and its callers the wait. It opens after 20
 * failures in a row. What one caller's odd requests cause must not shut out others, so failures of one owner alone open
 * it for that owner, and count for no more than half of what opens it for all.
 */
export class Breaker {
  readonly #now: () => number;
  readonly #probeMs: number;
  /** Failures since the endpoint last answered, by owner. */
  readonly #failures = new Map<string, number>();
  #counted = 0;
  #pause: Pause | undefined;

  constructor({ probeMs = PROBE_MS, now = () => performance.now() }: BreakerOptions = {}) {
    this.#now = now;
    this.#probeMs = probeMs;
  }

  get isOpenForAll(): boolean {
    return this.#pause !== undefined && this.#pause.owner === undefined;
  }

  /** Throws where the call is to fail at once. */
  check(owner: string): void {
    const pause = this.#pauseOf(owner);
    if (pause === undefined || (!pause.isProbing && this.#now() >= waitOf(pause, owner))) return;
    const message = 'The REST service has been failing, and is given a moment to recover.';
    throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: PAUSE_MS / 1000 });
  }

  /** Lets a call be made, or throws. A call that is given a pause probes, and has no more than `probeMs`. */
  begin(owner: string): Pause | undefined {
    this.check(owner);
    const pause = this.#pauseOf(owner);
    if (pause !== undefined) pause.isProbing = true;
    return pause;
  }

  /** Takes the end of a call that was let through: its error, or none. */
  end(owner: string, probed: Pause | undefined, error?: unknown): void {
    if (probed !== undefined) probed.isProbing = false;
    if (isOutage(error)) this.#fail(owner, probed, error);
    else if (isAnswer(error)) this.#reset();
  }

  #pauseOf(owner: string): Pause | undefined {
    const pause = this.#pause;
    return pause?.owner === undefined || pause.owner === owner ? pause : undefined;
  }

  #fail(owner: string, probed: Pause | undefined, { code }: RestError): void {
    this.#count(owner);
    const until = this.#now() + PAUSE_MS;
    if (probed !== undefined) {
      probed.lastProbe = owner;
      // An endpoint may be slow and yet be back: a probe that took too long leaves the next one more time.
      if (code === 'UPSTREAM_TIMEOUT') probed.probeMs *= 2;
    }
    const pause = this.#pauseOf(owner);
    if (pause !== undefined) pause.until = until;
    if (this.isOpenForAll) return;
    if (this.#counted >= FAILURES) this.#open(undefined, until);
    else if (pause === undefined && this.#failuresOf(owner) >= FAILURES) this.#open(owner, until);
  }

  #open(owner: string | undefined, until: number): void {
    this.#pause = { owner, until, isProbing: false, probeMs: this.#probeMs, lastProbe: undefined };
  }

  #count(owner: string): void {
    const failures = this.#failuresOf(owner) + 1;
    // Once it is open for all, counting on would only make the table longer.
    if (this.isOpenForAll) return;
    this.#failures.set(owner, failures);
    if (failures <= FAILURES_OF_ONE) this.#counted += 1;
  }

  #failuresOf(owner: string): number {
    return this.#failures.get(owner) ?? 0;
  }

  #reset(): void {
    if (this.#counted === 0) return;
    this.#failures.clear();
    this.#counted = 0;
    this.#pause = undefined;
  }
}

/** Whose probe has failed waits twice as long, so that others get to probe before it does so again. */
function waitOf({ owner: held, until, lastProbe }: Pause, owner: string): number {
  return held === undefined && lastProbe === owner ? until + PAUSE_MS : until;
}

/** An answer of any kind shows that the endpoint is up; an error that does not name it shows nothing. */
function isAnswer(error: unknown): boolean {
  return error === undefined || (error instanceof RestError && error.upstream !== undefined);
}

function isOutage(error: unknown): error is RestError {
  if (!(error instanceof RestError) || error.upstream === undefined) return false;
  const { status } = error.upstream;
  if (error.code === 'UPSTREAM_TIMEOUT') return true;
  return error.code === 'UPSTREAM_UNAVAILABLE' && [undefined, 502, 503, 504].includes(status);
}
