import { SharedBudget } from '../../limits/shared-budget.ts';
import type { CallSpan } from '../call-record.ts';
import type { Cancellation } from '../cancellation.ts';
import { DECODED_TEXT, type TextCodec, WIRE_TEXT } from '../wire-text.ts';
import { attempt, type RestRequest, type RestResponse } from './attempt.ts';
import {
  Breaker,
  type BreakerOptions,
  type BreakerState,
  NO_EVENTS,
  type OpenCircuit,
  type RestEvents,
} from './breaker.ts';
import { createConcurrencyLimit } from './concurrency.ts';
import { createPools, createProbe, type ProbeResult } from './probe.ts';
import { createRetryBudget, withRetries } from './retry.ts';

/** Calls in flight, and calls that wait for a slot. */
export interface CallLimits {
  readonly running: number;
  readonly waiting: number;
}

export const CALL_LIMITS: CallLimits = { running: 128, waiting: 1024 };
const MAX_RESPONSE_BYTES = 8_000_000;

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

/** State of the service, as far as it is known without a credential. */
export interface RestState {
  readonly reach: ProbeResult;
  /** Endpoints whose circuit breaker is open. */
  readonly heldBack: readonly string[];
}

/** The credential a call is sent with, and the owner it counts for. */
export interface Sender {
  readonly authorization: string;
  /** The owner whose share of slots, queue and retry budget is used. */
  readonly owner: string;
  /** Aborts the call when its caller disconnects or the operation times out. */
  readonly cancellation: Cancellation;
  readonly log?: AttemptLog;
  /** Called before each attempt; throws or rejects if the credential may make no more calls. */
  readonly admit?: (() => Promise<void> | undefined) | undefined;
}

/** Records the attempts of a call, since a retry is a call to the service as well. */
export interface AttemptLog {
  /** Returns headers to send with the attempt. */
  sent(): CallSpan['headers'] | undefined;
  /** Called with the error of a retryable attempt; returns whether it may be retried. */
  mayRetry(error: unknown): boolean;
}

/** For metrics. */
export interface RestClientStats {
  readonly inFlight: number;
  readonly queued: number;
  /** What responses that are being received hold. */
  readonly memoryBytes: number;
  /** By endpoint. */
  readonly breakers: ReadonlyMap<string, BreakerState>;
}

export interface RestClient {
  /** Length of the common prefix of all URLs, for checking the maximum URL length. */
  readonly baseLength: number;
  /** How the bodies of responses hold text. */
  readonly text: TextCodec;
  send(request: RestRequest, sender: Sender): Promise<RestResponse>;
  readonly events: RestEvents;
  state(): Promise<RestState>;
  stats(): RestClientStats;
  close(): Promise<void>;
}

/**
 * Client of the REST service at its single configured origin, with concurrency limits, deadlines, circuit breakers and
 * a retry budget.
 */
export function createRestClient(options: RestClientOptions): RestClient {
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
  const limit = createConcurrencyLimit({
    ...limits,
    onReject: () => events.shed('rest_queue'),
  });
  // One per endpoint.
  const breakers = new Map<string, Breaker>();
  const budget = createRetryBudget();
  const memory = new SharedBudget(maxBytes, { evicts: 'newest' });
  const probe = createProbe({ url });
  const onEvict = () => events.shed('rest_memory');

  function breakerOf({ endpoint }: RestRequest): Breaker {
    let breaker = breakers.get(endpoint);
    if (breaker === undefined) {
      breaker = new Breaker({
        ...breakerOptions,
        onChange: (change) => events.breakerChanged(endpoint, change),
      });
      breakers.set(endpoint, breaker);
    }
    return breaker;
  }

  /** Sends a call that the concurrency limit and the circuit breaker have admitted. */
  function sendAdmitted(
    request: RestRequest,
    { authorization, owner, cancellation, log, admit }: Sender,
    circuit?: OpenCircuit,
  ) {
    const deadline = performance.now() + Math.min(timeoutMs, circuit?.probeMs ?? timeoutMs);
    const dispatcher = request.method === 'GET' ? pools.reads : pools.writes;
    const maxResponseBytes = MAX_RESPONSE_BYTES;
    const onSend = log && (() => log.sent());
    const sendAttempt = () =>
      attempt({
        dispatcher,
        prefix,
        request,
        authorization,
        maxResponseBytes,
        text,
        memory,
        owner,
        onEvict,
        cancellation,
        deadline,
        onSend,
      });
    const sendAdmittedAttempt = async (check: NonNullable<typeof admit>) => {
      const admitted = check();
      if (admitted) await admitted;
      return sendAttempt();
    };
    const sendOnce = admit ? () => sendAdmittedAttempt(admit) : sendAttempt;
    // Writes and token calls are never retried. Neither is a probe: a single call has to decide.
    const isRetryable = request.method === 'GET' && circuit === undefined;
    return isRetryable ? withRetries(sendOnce, { budget, owner, cancellation, deadline, log }) : sendOnce();
  }

  return {
    baseLength: url.origin.length + prefix.length,
    text,
    events,

    async send(request, sender) {
      const breaker = breakerOf(request);
      const { owner } = sender;
      // Checked before queueing, so that calls that fail at once take no place in the queue.
      breaker.check(owner);
      const call = { owner, endpoint: request.endpoint };
      const queued = limit.acquire(call, sender.cancellation);
      if (queued) await queued;
      let circuit: OpenCircuit | undefined;
      try {
        circuit = breaker.begin(owner);
        const response = await sendAdmitted(request, sender, circuit);
        breaker.end(owner, circuit);
        return response;
      } catch (error) {
        // An error of `begin` itself says nothing about the endpoint, and is not counted.
        breaker.end(owner, circuit, error);
        throw error;
      } finally {
        limit.release(call);
      }
    },

    async state() {
      const open = [...breakers].filter(([, breaker]) => breaker.state !== 'closed');
      return { reach: await probe.check(), heldBack: open.map(([endpoint]) => endpoint) };
    },

    stats() {
      const states = Array.from(breakers, ([endpoint, breaker]) => [endpoint, breaker.state] as const);
      return {
        inFlight: limit.running,
        queued: limit.queued,
        memoryBytes: memory.held,
        breakers: new Map(states),
      };
    },

    async close() {
      await Promise.all([pools.close(), probe.close()]);
    },
  };
}
