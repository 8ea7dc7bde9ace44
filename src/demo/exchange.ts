import type { ServerResponse } from 'node:http';
import type { DemoCall } from './calls.ts';
import type { DemoResponse } from './http.ts';

/** One request on its way to an answer. */
export interface Exchange {
  readonly outgoing: ServerResponse;
  /** Writes the head alone, for whoever sends the body in its own way. */
  writeHead(response: DemoResponse): void;
  send(response: DemoResponse): void;
  /** Ends the connection from our side. */
  disconnect(how: 'close' | 'reset'): void;
}

/** Keeps the call's outcome true, whichever side ends the exchange. */
export function createExchange(call: DemoCall, outgoing: ServerResponse): Exchange {
  let isClosedByService = false;
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    call.status = 0;
    call.aborted = !isClosedByService;
  });

  function writeHead({ status, headers, body }: DemoResponse): void {
    // Noted before the last byte leaves, so that whoever has the answer also finds the status.
    call.status = status;
    outgoing.writeHead(status, { ...headers, 'content-length': body.length });
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
