export type BreakerState = 'closed' | 'half-open' | 'open';

/** What the client does, for metrics and logs. Nothing here is text from a caller: endpoints are a fixed set. */
export interface RestEvents {
  /** An attempt ended: with the status of its response, or with the code of an error. */
  attempted(
    endpoint: string,
    status: number | null,
    error: string | undefined,
    milliseconds: number,
    isRetry: boolean,
  ): void;
  /** A lookup asks for this many records in one call. */
  lookedUp(keys: number): void;
  breakerChanged(endpoint: string, isOpen: boolean): void;
  /** A call failed at once, because the queue was full or memory short. */
  shed(reason: 'rest_queue' | 'rest_memory'): void;
}

export const NO_EVENTS: RestEvents = {
  attempted() {},
  lookedUp() {},
  breakerChanged() {},
  shed() {},
};
