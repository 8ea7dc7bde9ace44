import type { CallFault } from '../call-fault.ts';

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
  /** With why the last call failed, where the breaker has opened. */
  breakerChanged(endpoint: string, state: 'open' | 'closed', fault: CallFault | undefined): void;
  /** A call failed at once, because the queue was full or memory short. */
  shed(reason: 'rest_queue' | 'rest_memory'): void;
}
