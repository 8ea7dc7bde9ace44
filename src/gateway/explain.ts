import type { CallRecord } from '../rest/call-record.ts';
import type { RestSession } from '../rest/session.ts';

/** The REST calls of an operation, for requests with `X-Explain: true`. */
export function explain({ calls, text }: RestSession): unknown {
  return text.encodeJson(calls.map(describeCall));
}

/** `fields` is a JSON string; it is parsed to be readable. */
function describeCall({ call: { method, path, parameters }, ...outcome }: CallRecord) {
  const { fields } = parameters;
  const displayed = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: displayed, ...outcome };
}
