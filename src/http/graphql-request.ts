import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../rest/caller.ts';

/** What HTTP knows of an operation's request beside the operation itself. */
export interface GraphqlRequest {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Goes out with the answer and with each error. */
  readonly requestId: string;
  /** Whom shares of what is limited are counted for. */
  readonly owner: string;
  readonly caller: Caller;
}
