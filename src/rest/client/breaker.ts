import { addressOf } from '../../limits/owner.ts';
import type { CallFault } from '../call-fault.ts';
import { RestError } from '../errors.ts';

export type BreakerState = 'closed' | 'half-open' | 'open';

/** A breaker opened, for one caller or for all, by a call that failed for this reason; or closed. */
type BreakerChange =
  | { readonly state: 'open'; readonly heldBack: 'one' | 'all'; readonly fault: CallFault | undefined }
  | { readonly state: 'closed' };

/** What the client does, for metrics and logs. Nothing here is text from a caller: endpoints are a fixed set. */
export interface RestEvents {
  /** An attempt ended: with the status of its response, and why it failed if it did. The first attempt is 1. */
  attempted(
    endpoint: string,
    status: number | null,
    fault: CallFault | undefined,
    milliseconds: number,
    attempt: number,
  ): void;
  /** A lookup asks for this many records in one call. */
  lookedUp(keys: number): void;
  breakerChanged(endpoint: string, change: BreakerChange): void;
  /** A call failed at once, because the queue was full or memory short. */
  shed(reason: 'rest_queue' | 'rest_memory'): void;
}

export const NO_EVENTS: RestEvents = {
  attempted() {},
  lookedUp() {},
  breakerChanged() {},
  shed() {},
};

const FAILURE_THRESHOLD = 20;
/** How many failures of one owner count towards opening the breaker for all owners. */
const MAX_FAILURES_PER_OWNER = FAILURE_THRESHOLD / 2;
const OPEN_MS = 1000;
const PROBE_MS = 2000;

export interface BreakerOptions {
  /** Deadline of the first probe. */
  readonly probeMs?: number;
  readonly now?: () => number;
  /** Called when it opens for one owner or for all, and when it closes again. */
  readonly onChange?: (change: BreakerChange) => void;
}

/** State of an open breaker: calls fail at once until a probe succeeds. */
export interface OpenCircuit {
  /** The owner whose calls fail; undefined for all owners. */
  readonly owner: string | undefined;
  /** When the next probe may be sent. */
  until: number;
  /** How many are in flight: then it is half-open. */
  probes: number;
  probeMs: number;
  /** Where probes came from so far. */
  readonly probedFrom: Set<string>;
}

/** A call that was admitted. */
export interface BegunCall {
  readonly owner: string;
  /** If the call is a probe, with `probeMs` as its deadline. */
  readonly circuit: OpenCircuit | undefined;
  /** The responses of the endpoint until then. */
  readonly responses: number;
}

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Circuit breaker of one endpoint: protects an endpoint that is down, and saves its callers the wait. It opens after 20
 * consecutive failures. One caller's unusual requests must not block others, so failures of a single owner open it for
 * that owner only, and count for at most half of what opens it for all; those of calls during which others got a
 * response do not count for all.
 */
export function createBreaker({
  probeMs = PROBE_MS,
  now = () => performance.now(),
  onChange = () => {},
}: BreakerOptions = {}) {
  /** Failures by owner since the endpoint last responded. */
  const failures = new Map<string, number>();
  let counted = 0;
  let responses = 0;
  let open: OpenCircuit | undefined;

  const isOpenForAll = () => open !== undefined && open.owner === undefined;
  const circuitFor = (owner: string) =>
    open?.owner === undefined || open.owner === owner ? open : undefined;

  /** Throws if the call has to fail at once. */
  function check(owner: string): void {
    const circuit = circuitFor(owner);
    if (circuit === undefined || now() >= probeAllowedAt(circuit, owner)) return;
    const message = 'The REST service has been failing, and is given a moment to recover.';
    throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: OPEN_MS / 1000 });
  }

  function fail(call: BegunCall, error: RestError): void {
    const { owner, circuit } = call;
    count(call);
    // The endpoint may be up but slow: after a probe that timed out, the next one gets more time.
    if (circuit && error.code === 'UPSTREAM_TIMEOUT') circuit.probeMs *= 2;
    if (isOpenForAll()) return;
    const isForAll = counted >= FAILURE_THRESHOLD;
    const isOpenForOwner = circuitFor(owner) !== undefined;
    if (!isForAll && (isOpenForOwner || (failures.get(owner) ?? 0) < FAILURE_THRESHOLD)) return;
    open = {
      owner: isForAll ? undefined : owner,
      until: now() + OPEN_MS,
      probes: 0,
      probeMs,
      probedFrom: new Set(),
    };
    onChange({ state: 'open', heldBack: isForAll ? 'all' : 'one', fault: error.fault });
  }

  function count(call: BegunCall): void {
    // Once open for all owners, further counting would only grow the map.
    if (isOpenForAll()) return;
    const ownFailures = (failures.get(call.owner) ?? 0) + 1;
    failures.set(call.owner, ownFailures);
    if (ownFailures <= MAX_FAILURES_PER_OWNER && call.responses === responses) counted += 1;
  }

  function reset(): void {
    responses += 1;
    if (failures.size === 0) return;
    const wasOpen = open !== undefined;
    failures.clear();
    counted = 0;
    open = undefined;
    if (wasOpen) onChange({ state: 'closed' });
  }

  return {
    check,
    isOpenForAll,

    /** Open for one owner counts too: while it stays open, nobody gets a response of the endpoint. */
    state(): BreakerState {
      if (open === undefined) return 'closed';
      return open.probes > 0 ? 'half-open' : 'open';
    },

    /** Admits a call, or throws. */
    begin(owner: string): BegunCall {
      check(owner);
      const circuit = circuitFor(owner);
      if (circuit) {
        circuit.probes += 1;
        // Slow probes hold nobody else back.
        circuit.until = now() + OPEN_MS;
        circuit.probedFrom.add(addressOf(owner));
      }
      return { owner, circuit, responses };
    },

    end(call: BegunCall, error?: unknown): void {
      const { circuit } = call;
      if (circuit) circuit.probes -= 1;
      if (isOutage(error)) fail(call, error);
      else if (isResponse(error)) reset();
      // It was cancelled, and has shown nothing.
      else if (circuit) circuit.until = now();
    },
  };
}

/** Wherever a probe came from that failed waits twice as long, so that others get to probe first. */
function probeAllowedAt({ owner: openFor, until, probedFrom }: OpenCircuit, owner: string): number {
  return openFor === undefined && probedFrom.has(addressOf(owner)) ? until + OPEN_MS : until;
}

/** Any response shows that the endpoint is up; an error without `upstream` shows nothing. */
function isResponse(error: unknown): boolean {
  return error === undefined || (error instanceof RestError && error.upstream !== undefined);
}

function isOutage(error: unknown): error is RestError {
  if (!(error instanceof RestError) || error.upstream === undefined) return false;
  const { status } = error.upstream;
  if (error.code === 'UPSTREAM_TIMEOUT') return true;
  return error.code === 'UPSTREAM_UNAVAILABLE' && [undefined, 502, 503, 504].includes(status);
}
