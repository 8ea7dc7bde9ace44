import type { CallRecord } from '../rest/call-record.ts';
import { jsonToLatin1 } from '../rest/latin1.ts';

/** The REST calls behind an answer, for who asks for them by `X-Explain: true`. */
export function explain(calls: readonly CallRecord[]): unknown {
  return jsonToLatin1(calls.map(legible));
}

/** `fields` as the JSON that it is, rather than as JSON in a string. */
function legible({ call: { method, path, parameters }, ...outcome }: CallRecord) {
  const { fields } = parameters;
  const shown = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: shown, ...outcome };
}
