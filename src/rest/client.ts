import { attempt, type RestRequest, type RestResponse } from './attempt.ts';
import { createBreaker } from './breaker.ts';
import type { Caller } from './caller.ts';
import { createGate } from './gate.ts';
import { createPools } from './pools.ts';
import { createProbe, type Reach } from './probe.ts';
import { createRetryBudget, withRetries } from './retry.ts';

const CONNECTIONS = 128;
const MOST_WAITING = 1024;
const MAX_RESPONSE_BYTES = 32_000_000;

export interface RestClientOptions {
  readonly url: URL;
  /** For one call with its retries, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
}

/** How the service is, as far as that can be told without a credential. */
export interface RestState {
  readonly reach: Reach;
  /** Whether calls fail at once, because many before them failed. */
  readonly heldBack: boolean;
}

export interface RestClient {
  /** The length of the part of each URL that every call shares, for those who keep URLs short. */
  readonly baseLength: number;
  /** `caller` ends the call when its caller leaves or runs out of time. */
  send(request: RestRequest, authorization: string, caller: Caller): Promise<RestResponse>;
  state(): Promise<RestState>;
  close(): Promise<void>;
}

/** The REST service at its one configured origin, guarded: what is sent is bounded, timed and not repeated in vain. */
export function createRestClient({ url, timeoutMs }: RestClientOptions): RestClient {
  const pools = createPools(url.origin, CONNECTIONS);
  const prefix = url.pathname.replace(/\/+$/, '');
  const gate = createGate({ running: CONNECTIONS, waiting: MOST_WAITING });
  const breaker = createBreaker();
  const budget = createRetryBudget();
  const probe = createProbe({ url });

  /** What gate and breaker have let through. */
  function sendAdmitted(request: RestRequest, authorization: string, caller: Caller) {
    const endsAt = performance.now() + timeoutMs;
    const dispatcher = request.method === 'GET' ? pools.reads : pools.writes;
    const maxResponseBytes = MAX_RESPONSE_BYTES;
    const once = () =>
      attempt({ dispatcher, prefix, request, authorization, maxResponseBytes, caller, endsAt });
    // Whatever becomes of a write or a token call, it is sent once.
    return request.method === 'GET' ? withRetries(once, { budget, caller, endsAt }) : once();
  }

  return {
    baseLength: url.origin.length + prefix.length,

    async send(request, authorization, caller) {
      const turn = gate.enter(caller);
      if (turn) await turn;
      try {
        const end = breaker.begin();
        try {
          const response = await sendAdmitted(request, authorization, caller);
          end();
          return response;
        } catch (error) {
          end(error);
          throw error;
        }
      } finally {
        gate.leave();
      }
    },

    state: async () => ({ reach: await probe.reach(), heldBack: breaker.isOpen() }),

    async close() {
      await Promise.all([pools.close(), probe.close()]);
    },
  };
}
