import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../rest/caller.ts';

/** An operation's request, where its answer goes, and who waits for it. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Goes out with the answer and with each error. */
  readonly requestId: string;
  readonly caller: Caller;
}
