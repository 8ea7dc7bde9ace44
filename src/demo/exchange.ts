import type { ServerResponse } from 'node:http';
import type { DemoCall } from './calls.ts';
import type { Answer } from './http.ts';

/** One request on its way to an answer. */
export interface Exchange {
  readonly outgoing: ServerResponse;
  /** Writes the head alone, for whoever sends the body in its own way. */
  begin(answer: Answer): void;
  send(answer: Answer): void;
  /** Ends the connection from our side. */
  cut(how: 'close' | 'reset'): void;
}

/** Keeps the call's outcome true, whichever side ends the exchange. */
export function createExchange(call: DemoCall, outgoing: ServerResponse): Exchange {
  let isCutByUs = false;
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    call.status = 0;
    call.aborted = !isCutByUs;
  });

  function begin({ status, headers, body }: Answer): void {
    // Noted before the last byte leaves, so that whoever has the answer also finds the status.
    call.status = status;
    outgoing.writeHead(status, { ...headers, 'content-length': body.length });
  }

  return {
    outgoing,
    begin,
    send(answer) {
      if (outgoing.destroyed) return;
      begin(answer);
      outgoing.end(answer.body);
    },
    cut(how) {
      isCutByUs = true;
      if (how === 'reset') outgoing.socket?.resetAndDestroy();
      else outgoing.destroy();
    },
  };
}
