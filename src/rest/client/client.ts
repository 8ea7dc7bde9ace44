import { type Dispatcher, Pool } from 'undici';
import { FairLimit } from '../../limits/fair-limit.ts';
import { SlotPool } from '../../limits/slots.ts';
import { getOrCreate } from '../../memoize.ts';
import type { CallRecord } from '../call.ts';
import { timeLimit } from '../cancellation.ts';
import { type CallErrorType, RestError } from '../errors.ts';
import { type RestRequest, type RestTransport, type SendOptions, sendRequest } from './attempt.ts';
import { Breaker } from './breaker.ts';
import { connectThrough } from './proxy.ts';

/** An address, such as an office, gets three eighths of these until the service has accepted its tokens. */
const MAX_CALLS_IN_FLIGHT = 768;
const MAX_CALLS_WAITING = 16_384;

const TOO_MANY_CALLS = 'Too many REST calls are queued. Retry in a moment.';
const TOO_MUCH_MEMORY =
  'Responses of the REST service take too much memory. Request less data, or retry in a moment.';

/** For metrics and logs. Endpoints are a fixed set, so no argument contains text from a caller. */
export interface RestEvents {
  /** The first attempt is 1. */
  onAttempt(
    endpoint: string,
    outcome: CallRecord,
    errorType: CallErrorType | undefined,
    attempt: number,
  ): void;
  onLookup(keys: number): void;
  onBreakerChange(endpoint: string, state: 'open' | 'closed', errorType: CallErrorType | undefined): void;
  onRejected(reason: 'rest_queue' | 'rest_memory'): void;
}

interface RestClientOptions {
  readonly url: URL;
  /** Timeout of one call including its retries, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  readonly proxy?: URL | undefined;
  readonly dispatcher?: Dispatcher | undefined;
  readonly memory?: FairLimit;
  readonly events?: RestEvents | undefined;
}

export type RestClient = ReturnType<typeof createRestClient>;
export type RestClientStats = ReturnType<RestClient['stats']>;

export function createRestClient(options: RestClientOptions) {
  const { url, timeoutMs, proxy, dispatcher, memory = new FairLimit(64_000_000), events } = options;
  const createRejection = (reason: 'rest_queue' | 'rest_memory', message: string) => {
    events?.onRejected(reason);
    return new RestError('OVERLOADED', message, { retryAfter: 1 });
  };
  const slots = new SlotPool(MAX_CALLS_IN_FLIGHT, MAX_CALLS_WAITING);
  const breakers = new Map<string, Breaker>();
  const createBreaker = (endpoint: string) =>
    new Breaker((state, errorType) => events?.onBreakerChange(endpoint, state, errorType));
  // A call has a single deadline, so undici's timeouts, which restart with each chunk, are off.
  const settings = {
    ...{ headersTimeout: 0, bodyTimeout: 0 },
    ...(proxy && { connect: connectThrough(proxy, url) }),
  };
  const transport: RestTransport = {
    reads: dispatcher ?? new Pool(url.origin, { ...settings, connections: MAX_CALLS_IN_FLIGHT }),
    // A server may close an idle connection while a request is being sent on it. Reads are retried. Writes must not be,
    // so each has its own connection (`reset` in attempt.ts), and none waits for one that is closing.
    writes: dispatcher ?? new Pool(url.origin, settings),
    origin: url.origin,
    prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
    timeLimit: timeLimit(timeoutMs, 'REST_TIMEOUT_MS'),
    memory,
    outOfMemory: () => createRejection('rest_memory', TOO_MUCH_MEMORY),
  };

  return {
    baseLength: url.origin.length + transport.prefix.length,
    events,
    timeoutMs,
    slots,
    tooManyCalls: () => createRejection('rest_queue', TOO_MANY_CALLS),
    getBreaker: (endpoint: string): Breaker => getOrCreate(breakers, endpoint, createBreaker),
    send: (request: RestRequest, options: SendOptions) => sendRequest(transport, request, options),

    stats: () => ({
      inFlight: slots.inUse,
      queued: slots.waiting,
      breakers: new Map(Array.from(breakers, ([endpoint, { state }]) => [endpoint, state] as const)),
    }),

    async close(): Promise<void> {
      if (dispatcher === undefined)
        await Promise.all([transport.reads.destroy(), transport.writes.destroy()]);
    },
  };
}
