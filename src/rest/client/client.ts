import { SharedBudget } from '../../limits/shared-budget.ts';
import { attempt, type RestRequest, type RestResponse } from './attempt.ts';
import { Breaker, type BreakerOptions, type OpenCircuit } from './breaker.ts';
import type { Cancellation } from './cancellation.ts';
import { createConcurrencyLimit } from './concurrency.ts';
import { createPools } from './pools.ts';
import { createProbe, type ProbeResult } from './probe.ts';
import { createRetryBudget, withRetries } from './retry.ts';

const CONNECTIONS = 128;
const MAX_QUEUED = 1024;
const MAX_RESPONSE_BYTES = 32_000_000;

export interface RestClientOptions {
  readonly url: URL;
  /** For one call with its retries, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  /** Bytes of answers that all calls under way may hold together. */
  readonly maxBytes?: number;
  readonly breaker?: BreakerOptions;
}

/** How the service is, as far as that can be told without a credential. */
export interface RestState {
  readonly probe: ProbeResult;
  /** The endpoints whose calls fail at sendOnce for everybody, because many before them failed. */
  readonly openBreakers: readonly string[];
}

/** As whom a call is sent, and for whom. */
export interface Sender {
  readonly authorization: string;
  /** Whose share of slots, queue and retries it takes. */
  readonly owner: string;
  /** Ends the call when its cancellation leaves or runs out of time. */
  readonly cancellation: Cancellation;
  readonly log?: AttemptLog;
}

/** Who counts the attempts of a call, since a retry is a call of the service as well. */
export interface AttemptLog {
  sent(): void;
  /** Told why an attempt failed that may be made again, and asked whether one more may be. */
  mayRetry(error: unknown): boolean;
}

export interface RestClient {
  /** The length of the part of each URL that every call shares, for those who keep URLs short. */
  readonly baseLength: number;
  send(request: RestRequest, sender: Sender): Promise<RestResponse>;
  state(): Promise<RestState>;
  close(): Promise<void>;
}

/** The REST service at its one configured origin, guarded: what is sent is bounded, timed and not repeated in vain. */
export function createRestClient(options: RestClientOptions): RestClient {
  const { url, timeoutMs, maxBytes = 2 * MAX_RESPONSE_BYTES, breaker: breakerOptions } = options;
  const pools = createPools(url.origin, CONNECTIONS);
  const prefix = url.pathname.replace(/\/+$/, '');
  const limit = createConcurrencyLimit({ running: CONNECTIONS, waiting: MAX_QUEUED });
  // As many as there are endpoints.
  const breakers = new Map<string, Breaker>();
  const budget = createRetryBudget();
  const memory = new SharedBudget(maxBytes, { evicts: 'newest' });
  const probe = createProbe({ url });

  function breakerOf({ endpoint }: RestRequest): Breaker {
    let breaker = breakers.get(endpoint);
    if (breaker === undefined) {
      breaker = new Breaker(breakerOptions);
      breakers.set(endpoint, breaker);
    }
    return breaker;
  }

  /** What the limit and the circuit breaker have let through. */
  function sendAdmitted(
    request: RestRequest,
    { authorization, owner, cancellation, log }: Sender,
    circuit?: OpenCircuit,
  ) {
    const deadline = performance.now() + Math.min(timeoutMs, circuit?.probeMs ?? timeoutMs);
    const dispatcher = request.method === 'GET' ? pools.reads : pools.writes;
    const maxResponseBytes = MAX_RESPONSE_BYTES;
    const onSend = log && (() => log.sent());
    const sendOnce = () =>
      attempt({
        dispatcher,
        prefix,
        request,
        authorization,
        maxResponseBytes,
        memory,
        owner,
        cancellation,
        deadline,
        onSend,
      });
    // Whatever becomes of a write or a token call, it is sent once. So is a probe: one call is to find out.
    const isRetryable = request.method === 'GET' && circuit === undefined;
    return isRetryable ? withRetries(sendOnce, { budget, owner, cancellation, deadline, log }) : sendOnce();
  }

  async function sendGuarded(request: RestRequest, sender: Sender, breaker: Breaker) {
    const { owner } = sender;
    const circuit = breaker.begin(owner);
    try {
      const response = await sendAdmitted(request, sender, circuit);
      breaker.end(owner, circuit);
      return response;
    } catch (error) {
      breaker.end(owner, circuit, error);
      throw error;
    }
  }

  return {
    baseLength: url.origin.length + prefix.length,

    async send(request, sender) {
      const breaker = breakerOf(request);
      // Before it waits: what is to fail at once takes nobody's place in the queue.
      breaker.check(sender.owner);
      const call = { owner: sender.owner, endpoint: request.endpoint };
      const queued = limit.acquire(call, sender.cancellation);
      if (queued) await queued;
      try {
        return await sendGuarded(request, sender, breaker);
      } finally {
        limit.release(call);
      }
    },

    async state() {
      const open = [...breakers].filter(([, breaker]) => breaker.isOpenForAll);
      return { probe: await probe.check(), openBreakers: open.map(([endpoint]) => endpoint) };
    },

    async close() {
      await Promise.all([pools.close(), probe.close()]);
    },
  };
}
