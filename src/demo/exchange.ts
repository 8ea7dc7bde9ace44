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

/** A received request, for tests to inspect. */
export interface DemoCall {
  method: string;
  path: string;
  query: Record<string, string>;
  /** The parsed `fields` parameter of the query or the form, if it is JSON. */
  fields?: unknown;
  headers: Record<string, string>;
  /** The parsed JSON or form; undefined if it is neither. */
  body: unknown;
  /** The request target as sent. */
  url: string;
  /** Status of the response; 0 until it is sent, or if it was not sent completely. */
  status: number;
  aborted: boolean;
}

export function createCall(incoming: IncomingMessage): DemoCall {
  const { method = 'GET', url = '/', headers } = incoming;
  const { path, query } = splitTarget(url);
  const call: DemoCall = {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: undefined,
    url,
    status: 0,
    aborted: false,
  };
  return Object.assign(call, fieldsOf(call.query));
}

/** Adds the body once it has been received. */
export function recordBody(call: DemoCall, request: DemoRequest): void {
  if (request.body.length === 0) return;
  try {
    call.body = readRequestBody(request);
    Object.assign(call, fieldsOf(call.body));
  } catch {
    // Invalid bodies are reported by the endpoint.
  }
}

function fieldsOf(source: unknown): { fields?: unknown } {
  if (!isJsonObject(source) || typeof source.fields !== 'string') return {};
  const fields = parseRequestJson(source.fields);
  return fields === undefined ? {} : { fields };
}
