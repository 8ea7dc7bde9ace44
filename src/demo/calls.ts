import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';
import { type DemoRequest, splitTarget } from './http.ts';
import { isObject, parseJson } from './json.ts';

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
  contentType?: string;
  /** The request target as sent. */
  url: string;
  /** Status of the response; 0 until it is sent, or if it was not sent completely. */
  status: number;
  /** The client disconnected before the response ended. */
  aborted: boolean;
}

export function createCall(incoming: IncomingMessage): DemoCall {
  const { method = 'GET', url = '/', headers } = incoming;
  const { path, query } = splitTarget(url);
  const contentType = headers['content-type'];
  const call: DemoCall = {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: undefined,
    ...(contentType !== undefined && { contentType }),
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
    call.body = readBody(request);
    Object.assign(call, fieldsOf(call.body));
  } catch {
    // Invalid bodies are reported by the endpoint.
  }
}

function fieldsOf(source: unknown): { fields?: unknown } {
  if (!isObject(source) || typeof source.fields !== 'string') return {};
  const fields = parseJson(source.fields);
  return fields === undefined ? {} : { fields };
}
