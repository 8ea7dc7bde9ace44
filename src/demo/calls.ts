import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';
import { type DemoRequest, splitTarget } from './http.ts';
import { isObject, parseJson } from './json.ts';

/** A request as it arrived, for tests to look at. */
export interface DemoCall {
  method: string;
  path: string;
  query: Record<string, string>;
  /** What `fields` says, from the query or the form, when it is JSON. */
  fields?: unknown;
  headers: Record<string, string>;
  /** The parsed JSON or the decoded form; undefined when it is neither. */
  body: unknown;
  contentType?: string;
  /** The request target as it was sent. */
  url: string;
  /** What was answered in full; 0 until then, or when the answer was cut. */
  status: number;
  /** The client went away before the answer ended. */
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

/** Adds what is known only when the body has arrived. */
export function recordBody(call: DemoCall, request: DemoRequest): void {
  if (request.body.length === 0) return;
  try {
    call.body = readBody(request);
    Object.assign(call, fieldsOf(call.body));
  } catch {
    // Unreadable: the endpoint says what is wrong with it.
  }
}

function fieldsOf(source: unknown): { fields?: unknown } {
  if (!isObject(source) || typeof source.fields !== 'string') return {};
  const fields = parseJson(source.fields);
  return fields === undefined ? {} : { fields };
}
