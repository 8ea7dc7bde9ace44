import { Tally } from '../../limits/fair-share.ts';
import { addressOf } from '../../limits/owner.ts';
import type { CallFault } from '../call-fault.ts';
import { RestError } from '../errors.ts';

export type BreakerState = 'closed' | 'half-open' | 'open';
type HeldBack = 'one' | 'address' | 'all';

/** A breaker opened, for one caller, those of one address, or all, by a call that failed for this reason; or closed. */
type BreakerChange =
  | { readonly state: 'open'; readonly heldBack: HeldBack; readonly fault: CallFault | undefined }
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
/** How many failures of one owner count for its address, and how many of one address count for all. */
const MAX_COUNTED = FAILURE_THRESHOLD / 2;
/** An endpoint that has responded within this time is open to all but the caller whose calls fail. */
const SILENT_MS = 1000;
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
  /** Whose calls fail: those of one owner, of all owners of an address, or of all. */
  readonly heldBack: HeldBack;
  readonly owner: string;
  readonly address: string;
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
 * consecutive failures. One caller's unusual requests must not block others. So failures of a single owner open it for
 * that owner only, and count for at most half of what opens it for its address, and those of an address for at most half
 * of what opens it for all. And an endpoint that responds to others is not down: failures during which it has responded
 * count for their owner alone.
 */
export function createBreaker({
  probeMs = PROBE_MS,
  now = () => performance.now(),
  onChange = () => {},
}: BreakerOptions = {}) {
  /** Failures since the endpoint last responded. */
  const ofOwners = new Tally();
  const ofAddresses = new Tally();
  let ofAll = 0;
  let responses = 0;
  let lastResponse = Number.NEGATIVE_INFINITY;
  let open: OpenCircuit | undefined;

  const isOpenForAll = () => open?.heldBack === 'all';
  const circuitFor = (owner: string) => (open && holdsBack(open, owner) ? open : undefined);

  /** Throws if the call has to fail at once. */
  function check(owner: string): void {
    const circuit = circuitFor(owner);
    if (circuit === undefined || now() >= probeAllowedAt(circuit, owner)) return;
    const message = 'The REST service has been failing, and is given a moment to recover.';
    throw new RestError('UPSTREAM_UNAVAILABLE', message, { retryAfter: OPEN_MS / 1000 });
  }

  function fail(call: BegunCall, error: RestError): void {
    // The endpoint may be up but slow: after a probe that timed out, the next one gets more time.
    if (call.circuit && error.code === 'UPSTREAM_TIMEOUT') call.circuit.probeMs *= 2;
    // Further counting would only take memory.
    if (isOpenForAll()) return;
    count(call);
    const heldBack = whoIsHeldBack(call.owner);
    if (heldBack === undefined || (heldBack !== 'all' && circuitFor(call.owner))) return;
    const { owner } = call;
    const until = now() + OPEN_MS;
    const address = addressOf(owner);
    open = { heldBack, owner, address, until, probes: 0, probeMs, probedFrom: new Set() };
    onChange({ state: 'open', heldBack, fault: error.fault });
  }

  function count({ owner, responses: before }: BegunCall): void {
    const address = addressOf(owner);
    ofOwners.add(owner);
    if (before !== responses || ofOwners.of(owner) > MAX_COUNTED) return;
    ofAddresses.add(address);
    if (ofAddresses.of(address) <= MAX_COUNTED) ofAll += 1;
  }

  function whoIsHeldBack(owner: string): HeldBack | undefined {
    const isSilent = now() - lastResponse >= SILENT_MS;
    if (isSilent && ofAll >= FAILURE_THRESHOLD) return 'all';
    if (isSilent && ofAddresses.of(addressOf(owner)) >= FAILURE_THRESHOLD) return 'address';
    return ofOwners.of(owner) >= FAILURE_THRESHOLD ? 'one' : undefined;
  }

  function reset(): void {
    responses += 1;
    lastResponse = now();
    ofAll = 0;
    if (ofOwners.size === 0) return;
    ofOwners.clear();
    ofAddresses.clear();
    if (open === undefined) return;
    open = undefined;
    onChange({ state: 'closed' });
  }

  return {
    check,
    isOpenForAll,

    /** Open for some counts too: while it stays open, nobody gets a response of the endpoint. */
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

function holdsBack(open: OpenCircuit, owner: string): boolean {
  if (open.heldBack === 'all') return true;
  return open.heldBack === 'one' ? open.owner === owner : open.address === addressOf(owner);
}

/** Wherever a probe came from that failed waits twice as long, so that others get to probe first. */
function probeAllowedAt({ heldBack, until, probedFrom }: OpenCircuit, owner: string): number {
  return heldBack === 'all' && probedFrom.has(addressOf(owner)) ? until + OPEN_MS : until;
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
