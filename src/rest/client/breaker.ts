import { RestError } from '../errors.ts';

const FAILURE_THRESHOLD = 20;
/** What one owner's failures count for at most, where all callers are concerned. */
const MAX_FAILURES_PER_OWNER = FAILURE_THRESHOLD / 2;
const OPEN_MS = 1000;
const PROBE_MS = 2000;

export interface BreakerOptions {
  /** How long a first probe may take. */
  readonly probeMs?: number;
  readonly now?: () => number;
}

/** While calls fail at once. */
export interface OpenCircuit {
  /** Whose calls do; everybody's where there is none. */
  readonly owner: string | undefined;
  until: number;
  /** Whether a call is finding out whether the endpoint is back. */
  isProbing: boolean;
  /** How long that call may take. */
  probeMs: number;
  lastProbeOwner: string | undefined;
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
  #circuit: OpenCircuit | undefined;

  constructor({ probeMs = PROBE_MS, now = () => performance.now() }: BreakerOptions = {}) {
    this.#now = now;
    this.#probeMs = probeMs;
  }

  get isOpenForAll(): boolean {
    return this.#circuit !== undefined && this.#circuit.owner === undefined;
  }

  /** Throws where the call is to fail at once. */
  check(owner: string): void {
    const circuit = this.#circuitFor(owner);
    if (circuit === undefined || (!circuit.isProbing && this.#now() >= probeAllowedAt(circuit, owner)))
      return;
    const message = 'The REST service has been failing, and is given a moment to recover.';
    throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: OPEN_MS / 1000 });
  }

  /** Lets a call be made, or throws. A call that is given a pause probes, and has no more than `probeMs`. */
  begin(owner: string): OpenCircuit | undefined {
    this.check(owner);
    const circuit = this.#circuitFor(owner);
    if (circuit !== undefined) circuit.isProbing = true;
    return circuit;
  }

  /** Takes the end of a call that was let through: its error, or none. */
  end(owner: string, probing: OpenCircuit | undefined, error?: unknown): void {
    if (probing !== undefined) probing.isProbing = false;
    if (isOutage(error)) this.#fail(owner, probing, error);
    else if (isResponse(error)) this.#reset();
  }

  #circuitFor(owner: string): OpenCircuit | undefined {
    const circuit = this.#circuit;
    return circuit?.owner === undefined || circuit.owner === owner ? circuit : undefined;
  }

  #fail(owner: string, probing: OpenCircuit | undefined, { code }: RestError): void {
    this.#count(owner);
    const until = this.#now() + OPEN_MS;
    if (probing !== undefined) {
      probing.lastProbeOwner = owner;
      // An endpoint may be slow and yet be back: a probe that took too long leaves the next one more time.
      if (code === 'UPSTREAM_TIMEOUT') probing.probeMs *= 2;
    }
    const circuit = this.#circuitFor(owner);
    if (circuit !== undefined) circuit.until = until;
    if (this.isOpenForAll) return;
    if (this.#counted >= FAILURE_THRESHOLD) this.#open(undefined, until);
    else if (circuit === undefined && this.#failuresOf(owner) >= FAILURE_THRESHOLD) this.#open(owner, until);
  }

  #open(owner: string | undefined, until: number): void {
    this.#circuit = { owner, until, isProbing: false, probeMs: this.#probeMs, lastProbeOwner: undefined };
  }

  #count(owner: string): void {
    const failures = this.#failuresOf(owner) + 1;
    // Once it is open for all, counting on would only make the table longer.
    if (this.isOpenForAll) return;
    this.#failures.set(owner, failures);
    if (failures <= MAX_FAILURES_PER_OWNER) this.#counted += 1;
  }

  #failuresOf(owner: string): number {
    return this.#failures.get(owner) ?? 0;
  }

  #reset(): void {
    if (this.#counted === 0) return;
    this.#failures.clear();
    this.#counted = 0;
    this.#circuit = undefined;
  }
}

/** Whose probe has failed waits twice as long, so that others get to probe before it does so again. */
function probeAllowedAt({ owner: openFor, until, lastProbeOwner }: OpenCircuit, owner: string): number {
  return openFor === undefined && lastProbeOwner === owner ? until + OPEN_MS : until;
}

/** An answer of any kind shows that the endpoint is up; an error that does not name it shows nothing. */
function isResponse(error: unknown): boolean {
  return error === undefined || (error instanceof RestError && error.upstream !== undefined);
}

function isOutage(error: unknown): error is RestError {
  if (!(error instanceof RestError) || error.upstream === undefined) return false;
  const { status } = error.upstream;
  if (error.code === 'UPSTREAM_TIMEOUT') return true;
  return error.code === 'UPSTREAM_UNAVAILABLE' && [undefined, 502, 503, 504].includes(status);
}
