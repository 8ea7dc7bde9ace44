import { Pool } from 'undici';
import { attempt, type RestRequest, type RestResponse } from './attempt.ts';
import { createBreaker } from './breaker.ts';
import { callerEnded, RestError } from './errors.ts';
import { createGate } from './gate.ts';
import { createRetryBudget, withRetries } from './retry.ts';

const CONNECTIONS = 128;
const MOST_WAITING = 1024;
const MAX_RESPONSE_BYTES = 32_000_000;

export interface RestClientOptions {
  readonly url: URL;
  /** For one call with its retries, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
}

export interface RestClient {
  /** The length of the part of each URL that every call shares, for those who keep URLs short. */
  readonly baseLength: number;
  /** `caller` ends the call when its caller leaves or runs out of time. */
  send(request: RestRequest, authorization: string, caller?: AbortSignal): Promise<RestResponse>;
  close(): Promise<void>;
}

/** The REST service at its one configured origin, guarded: what is sent is bounded, timed and not repeated in vain. */
export function createRestClient({ url, timeoutMs }: RestClientOptions): RestClient {
  // undici's own timeouts start again at each chunk, so that a slow drip would never end: ours is one for all.
  const dispatcher = new Pool(url.origin, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  const prefix = url.pathname.replace(/\/+$/, '');
  const gate = createGate({ running: CONNECTIONS, waiting: MOST_WAITING });
  const breaker = createBreaker();
  const budget = createRetryBudget();

  return {
    baseLength: url.origin.length + prefix.length,

    send(request, authorization, caller = new AbortController().signal) {
      return gate.run(caller, () => {
        const endsAt = performance.now() + timeoutMs;
        const signal = AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)]);
        const once = () =>
          attempt({
            dispatcher,
            origin: url.origin,
            prefix,
            request,
            authorization,
            maxResponseBytes: MAX_RESPONSE_BYTES,
            signal,
            ended: (cause) => (caller.aborted ? callerEnded(caller, cause) : tooSlow(request, cause)),
          });
        // Whatever becomes of a write or a token call, it is sent once.
        const again = request.method === 'GET';
        return breaker.run(() => (again ? withRetries(once, { budget, signal, endsAt }) : once()));
      });
    },

    close: () => dispatcher.destroy(),
  };
}

function tooSlow({ method, path }: RestRequest, cause: unknown): RestError {
  const upstream = { method, path };
  return new RestError('UPSTREAM_TIMEOUT', 'The REST service did not answer in time.', { upstream, cause });
}
