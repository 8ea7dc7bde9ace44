import type { CallRecord } from '../rest/call-record.ts';
import { jsonToLatin1 } from '../rest/latin1.ts';

/** The REST calls of an operation, for requests with `X-Explain: true`. */
export function explain(calls: readonly CallRecord[]): unknown {
  return jsonToLatin1(calls.map(describeCall));
}

/** `fields` is a JSON string; it is parsed to be readable. */
function describeCall({ call: { method, path, parameters }, ...outcome }: CallRecord) {
  const { fields } = parameters;
  const displayed = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: displayed, ...outcome };
}
