import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DemoRequest, type DemoResponse, isJsonObject, parseRequestJson, splitTarget } from './http.ts';
import { readRequestBody } from './parameters.ts';

export type Exchange = ReturnType<typeof createExchange>;

/** One request and its pending response: updates the recorded call, whichever side ends the exchange. */
export function createExchange(call: DemoCall, outgoing: ServerResponse, now: () => number) {
  let isClosedByService = false;
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return;
    call.status = 0;
    call.aborted = !isClosedByService;
  });

  /** Writes only the status and headers, for callers that send the body themselves. */
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
    send(response: DemoResponse): void {
      if (outgoing.destroyed) return;
      writeHead(response);
      outgoing.end(response.body);
    },
    /** Closes or resets the connection from the server side. */
    disconnect(how: 'close' | 'reset'): void {
      isClosedByService = true;
      if (how === 'reset') outgoing.socket?.resetAndDestroy();
      else outgoing.destroy();
    },
  };
}

export type DemoCall = ReturnType<typeof createCall>;

/** A received request, for tests to inspect. */
export function createCall(incoming: IncomingMessage) {
  const { method = 'GET', url = '/', headers } = incoming;
  const { path, query: text } = splitTarget(url);
  const query = Object.fromEntries(new URLSearchParams(text));
  return {
    method,
    path,
    query,
    /** The parsed `fields` parameter of the query or the form, if it is JSON. */
    fields: fieldsOf(query),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    /** The parsed JSON or form; undefined if it is neither. */
    body: undefined as unknown,
    /** The request target as sent. */
    url,
    /** Status of the response; 0 until it is sent, or if it was not sent completely. */
    status: 0,
    /** By the client, before the response ended. */
    aborted: false,
  };
}

/** Adds the body once it has been received. */
export function recordBody(call: DemoCall, request: DemoRequest): void {
  if (request.body.length === 0) return;
  try {
    call.body = readRequestBody(request);
    call.fields ??= fieldsOf(call.body);
  } catch {
    // Invalid bodies are reported by the endpoint.
  }
}

function fieldsOf(source: unknown): unknown {
  const { fields } = isJsonObject(source) ? source : {};
  return typeof fields === 'string' ? parseRequestJson(fields) : undefined;
}
