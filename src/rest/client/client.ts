import { addressOf } from '../../limits/owner.ts';
import { SharedBudget } from '../../limits/shared-budget.ts';
import { getOrCreate } from '../../memoize.ts';
import { timeLimit } from '../cancellation.ts';
import { DECODED_TEXT, WIRE_TEXT } from '../wire-text.ts';
import { attempt, MAX_RESPONSE_BYTES, type RestRequest, type RestResponse, type Sender } from './attempt.ts';
import {
  type BegunCall,
  type Breaker,
  type BreakerOptions,
  createBreaker,
  NO_EVENTS,
  type OpenCircuit,
  type RestEvents,
} from './breaker.ts';
import { type CallLimits, createConcurrencyLimit } from './concurrency.ts';
import { createPools, createProbe } from './probe.ts';
import { RetryBudget, withRetries } from './retry.ts';

export const CALL_LIMITS: CallLimits = { running: 128, waiting: 1024 };

interface RestClientOptions {
  readonly url: URL;
  /** Timeout of one call including its retries, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  /** Maximum bytes of the responses of all calls in flight. */
  readonly maxBytes?: number;
  readonly breaker?: Omit<BreakerOptions, 'onChange'>;
  readonly events?: RestEvents;
  readonly limits?: CallLimits;
  /** Whether text of the service is decoded into ordinary strings; by default it stays as it travels. */
  readonly decodeText?: boolean;
}

export type RestClient = ReturnType<typeof createRestClient>;
export type RestState = Awaited<ReturnType<RestClient['state']>>;
export type RestClientStats = ReturnType<RestClient['stats']>;

/** Client of the REST service at its single origin, with concurrency limits, deadlines, circuit breakers and retries. */
export function createRestClient(options: RestClientOptions) {
  const {
    url,
    timeoutMs,
    maxBytes = 2 * MAX_RESPONSE_BYTES,
    breaker: breakerOptions,
    events = NO_EVENTS,
    limits = CALL_LIMITS,
    decodeText = false,
  } = options;
  const text = decodeText ? DECODED_TEXT : WIRE_TEXT;
  const pools = createPools(url.origin, limits.running);
  const prefix = url.pathname.replace(/(?<!\/)\/+$/, '');
  const slots = createConcurrencyLimit(limits, () => events.shed('rest_queue'));
  // One per endpoint.
  const breakers = new Map<string, Breaker>();
  const budget = new RetryBudget();
  const memory = new SharedBudget(maxBytes, { evicts: 'newest' });
  const callLimit = timeLimit(timeoutMs, 'REST_TIMEOUT_MS');
  const probe = createProbe(url);
  const onEvict = () => events.shed('rest_memory');
  const service = { prefix, text, memory, onEvict };

  const breakerAt = (endpoint: string) =>
    createBreaker({ ...breakerOptions, onChange: (change) => events.breakerChanged(endpoint, change) });

  /** Sends a call that the concurrency limit and the circuit breaker have admitted. */
  function sendAdmitted(request: RestRequest, sender: Sender, circuit?: OpenCircuit): Promise<RestResponse> {
    const isShort = circuit !== undefined && circuit.probeMs < timeoutMs;
    const deadline = performance.now() + (isShort ? circuit.probeMs : timeoutMs);
    const limit = isShort ? timeLimit(circuit.probeMs) : callLimit;
    const dispatcher = request.method === 'GET' ? pools.reads : pools.writes;
    const sendAttempt = () => attempt({ service, sender, dispatcher, request, deadline, limit });
    const { admit } = sender;
    const sendOnce = async () => {
      const admitted = admit?.();
      if (admitted) await admitted;
      return sendAttempt();
    };
    // Writes and token calls are never retried. Neither is a probe: a single call has to decide.
    const isRetryable = request.method === 'GET' && circuit === undefined;
    const send = admit ? sendOnce : sendAttempt;
    return isRetryable ? withRetries(send, sender, budget, deadline) : send();
  }

  return {
    /** Length of the common prefix of all URLs, for checking the maximum URL length. */
    baseLength: url.origin.length + prefix.length,
    /** How the bodies of responses hold text. */
    text,
    events,

    async send(request: RestRequest, sender: Sender): Promise<RestResponse> {
      const breaker = getOrCreate(breakers, request.endpoint, breakerAt);
      const { owner } = sender;
      // Checked before queueing, so that calls that fail at once take no place in the queue.
      breaker.check(owner);
      const call = { owner, endpoint: request.endpoint, address: addressOf(owner) };
      const queued = slots.acquire(call, sender.cancellation);
      if (queued) await queued;
      let begun: BegunCall | undefined;
      try {
        begun = breaker.begin(owner);
        const response = await sendAdmitted(request, sender, begun.circuit);
        breaker.end(begun);
        return response;
      } catch (error) {
        if (begun) breaker.end(begun, error);
        throw error;
      } finally {
        slots.release(call);
      }
    },

    /** What is known of the service without a credential, and the endpoints whose circuit breaker is open. */
    async state() {
      const open = [...breakers].filter(([, breaker]) => breaker.state() !== 'closed');
      return { reach: await probe.check(), heldBack: open.map(([endpoint]) => endpoint) };
    },

    stats() {
      const states = Array.from(breakers, ([endpoint, breaker]) => [endpoint, breaker.state()] as const);
      return {
        inFlight: slots.running(),
        queued: slots.queued(),
        /** What responses that are being received hold. */
        memoryBytes: memory.held,
        breakers: new Map(states),
      };
    },

    async close(): Promise<void> {
      await Promise.all([pools.reads.destroy(), pools.writes.destroy(), probe.close()]);
    },
  };
}
