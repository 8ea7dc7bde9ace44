import type { Holding } from '../limits/shared-budget.ts';
import type { Cancellation } from '../rest/client/cancellation.ts';
import type { RestSession } from '../rest/session.ts';

/** Whose changes are read. */
export interface Caller {
  /** The same for the same credential, of which it reveals nothing. */
  readonly credential: string;
  /** Access to the service as it is now, past all caches. */
  createRest(cancellation: Cancellation, hold: (bytes: number) => void): RestSession;
  /** Drops what is cached for the credential; resolves once other processes have done so too. */
  dropCached(): Promise<void> | undefined;
  /** A part of the memory budget of all operations. */
  hold(onEvict: () => void): Holding;
}

export interface FeedOptions {
  readonly pollMs: number;
  readonly lookbackMs: number;
  /** How old the answer of a query may be. */
  readonly cacheTtlMs: number;
}
