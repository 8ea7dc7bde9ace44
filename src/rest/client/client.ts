import { Pool } from 'undici';
import { FairLimit } from '../../limits/fair-limit.ts';
import { jittered } from '../../limits/jitter.ts';
import { SlotPool } from '../../limits/slots.ts';
import { getOrCreate } from '../../memoize.ts';
import type { CallRecord } from '../call.ts';
import { timeLimit } from '../cancellation.ts';
import { type CallFault, RestError } from '../errors.ts';
import { type Attempts, attempt, type Headers, type RestRequest, type Service } from './attempt.ts';
import { Breaker, isOutage } from './breaker.ts';

const MAX_CALLS_IN_FLIGHT = 192;
/** Enough for the calls of all operations that are in flight. */
const MAX_CALLS_WAITING = 16_384;

const MAX_RETRIES = 2;
/** A longer Retry-After is returned to the caller instead. */
const MAX_WAIT_MS = 2000;
const BASE_DELAY_MS = 50;

const TOO_MANY_CALLS = 'Too many REST calls are waiting. Try again in a moment.';
const TOO_MUCH_MEMORY =
  'The answers of the REST service take too much memory. Ask for less, or try again in a moment.';

/** What the client does, for metrics and logs. Nothing here is text from a caller: endpoints are a fixed set. */
export interface RestEvents {
  /** An attempt ended, and why it failed if it did. The first attempt is 1. */
  attempted(endpoint: string, outcome: CallRecord, fault: CallFault | undefined, attempt: number): void;
  /** A lookup asks for this many records in one call. */
  lookedUp(keys: number): void;
  /** With why the last call failed, where the breaker has opened. */
  breakerChanged(endpoint: string, state: 'open' | 'closed', fault: CallFault | undefined): void;
  /** A call failed at once, because the queue was full or memory short. */
  shed(reason: 'rest_queue' | 'rest_memory'): void;
}

interface RestClientOptions {
  readonly url: URL;
  /** Timeout of one call including its retries, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  readonly memory?: FairLimit;
  readonly events?: RestEvents | undefined;
}

export type RestClient = ReturnType<typeof createRestClient>;
export type RestClientStats = ReturnType<RestClient['stats']>;

/** Client of the REST service at its single origin, with concurrency limits, deadlines, circuit breakers and retries. */
export function createRestClient(options: RestClientOptions) {
  const { url, timeoutMs, memory = new FairLimit(64_000_000), events } = options;
  const shed = (reason: 'rest_queue' | 'rest_memory', message: string) => {
    events?.shed(reason);
    return new RestError('OVERLOADED', message, { retryAfter: 1 });
  };
  const slots = new SlotPool(MAX_CALLS_IN_FLIGHT, MAX_CALLS_WAITING);
  const breakers = new Map<string, Breaker>();
  const newBreaker = (endpoint: string) =>
    new Breaker((state, fault) => events?.breakerChanged(endpoint, state, fault));
  // A call has a single deadline, so undici's timeouts, which begin anew with each chunk, are off.
  const untimed = { headersTimeout: 0, bodyTimeout: 0 };
  const service: Service = {
    reads: new Pool(url.origin, { ...untimed, connections: MAX_CALLS_IN_FLIGHT }),
    // A server may close an idle connection while a request is being sent on it. A read is then retried. A write must
    // not be, so each has a connection of its own (`reset` in attempt.ts), and none waits for one that is being closed.
    writes: new Pool(url.origin, untimed),
    prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
    timeLimit: timeLimit(timeoutMs, 'REST_TIMEOUT_MS'),
    memory,
    outOfMemory: () => shed('rest_memory', TOO_MUCH_MEMORY),
  };

  return {
    /** Length of the common prefix of all URLs, for checking the maximum URL length. */
    baseLength: url.origin.length + service.prefix.length,
    events,

    async send<Read>(request: RestRequest, attempts: Attempts<Read>): Promise<Read> {
      const { owner, cancellation } = attempts;
      const breaker = getOrCreate(breakers, request.endpoint, newBreaker);
      // Checked before queueing too, so that calls that fail at once do not wait for a slot.
      breaker.check();
      const acquired = slots.acquire(owner, cancellation);
      if (acquired !== true && !(await acquired)) throw shed('rest_queue', TOO_MANY_CALLS);
      try {
        const isProbe = breaker.begin();
        const deadline = performance.now() + timeoutMs;
        const send = (headers?: Headers) => attempt(service, request, attempts, deadline, headers);
        // Writes and token calls are never retried. Neither is a probe: a single call has to decide.
        const maxRetries = request.method === 'GET' && !isProbe ? MAX_RETRIES : 0;
        for (let retries = 0; ; retries += 1) {
          try {
            const read = await attempts.once(send, retries + 1);
            breaker.end();
            return read;
          } catch (error) {
            const delayMs = retries < maxRetries ? delayOf(error, retries) : undefined;
            if (delayMs === undefined || performance.now() + delayMs >= deadline) throw error;
            if (cancellation.isAborted || !attempts.mayRetry()) throw error;
            await cancellation.pause(delayMs);
          }
        }
      } catch (error) {
        breaker.end(error);
        throw error;
      } finally {
        slots.release(owner);
      }
    },

    stats: () => ({
      inFlight: slots.inUse,
      queued: slots.waiting.inUse,
      breakers: new Map(Array.from(breakers, ([endpoint, { state }]) => [endpoint, state] as const)),
    }),

    async close(): Promise<void> {
      await Promise.all([service.reads.destroy(), service.writes.destroy()]);
    },
  };
}

/** How long to wait before a retry that may help, at least the Retry-After of the service; else undefined. */
export function delayOf(error: unknown, retries: number): number | undefined {
  if (!(error instanceof RestError && isTransient(error))) return undefined;
  const requestedMs = (error.retryAfter ?? 0) * 1000;
  if (requestedMs > MAX_WAIT_MS) return undefined;
  return requestedMs + jittered(BASE_DELAY_MS * 3 ** retries, 0.5, 1.5);
}

/** Another attempt a moment later would find the same certificate, and there is no time for it after a time-out. */
function isTransient(error: RestError): boolean {
  const { code, upstream, fault = '', retryAfter } = error;
  if (code === 'RATE_LIMITED') return upstream !== undefined && retryAfter !== undefined;
  return isOutage(error) && code !== 'UPSTREAM_TIMEOUT' && !/^tls_(?!protocol)/.test(fault);
}
