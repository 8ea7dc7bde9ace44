import type { ServerResponse } from 'node:http';
import type { DemoCall } from './calls.ts';
import type { DemoResponse } from './http.ts';

/** One request and its pending response. */
export interface Exchange {
  readonly outgoing: ServerResponse;
  /** Writes only the status and headers, for callers that send the body themselves. */
  writeHead(response: DemoResponse): void;
  send(response: DemoResponse): void;
  /** Closes or resets the connection from the server side. */
  disconnect(how: 'close' | 'reset'): void;
}

/** Updates the recorded call, whichever side ends the exchange. */
export function createExchange(call: DemoCall, outgoing: ServerResponse, now: () => number): Exchange {
  let isClosedByService = false;
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    call.status = 0;
    call.aborted = !isClosedByService;
  });

  function writeHead({ status, headers, body }: DemoResponse): void {
    // Set before the last byte is sent, so that a client that has the response also sees the recorded status.
    call.status = status;
    // Of the clock that stamps the records, which clients may compare.
    const date = new Date(now()).toUTCString();
    outgoing.writeHead(status, { date, ...headers, 'content-length': body.length });
  }

  return {
    outgoing,
    writeHead,
    send(response) {
      if (outgoing.destroyed) return;
      writeHead(response);
      outgoing.end(response.body);
    },
    disconnect(how) {
      isClosedByService = true;
      if (how === 'reset') outgoing.socket?.resetAndDestroy();
      else outgoing.destroy();
    },
  };
}
