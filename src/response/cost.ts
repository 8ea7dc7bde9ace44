import type { ExecutionResult } from 'graphql';
import type { GatewayContext } from '../request/context.ts';
import type { CallRecord } from '../rest/call-record.ts';
import { CallCounts } from '../telemetry/observation.ts';

/** More are not made, but a token may have thousands of administrations whose lists are cached. */
const MAX_EXPLAINED = 500;

/** Adds what an operation has cost to its result, and with `X-Explain: true` the REST calls that it took. */
export function withCost(
  result: ExecutionResult,
  { executed, rest, headers }: GatewayContext,
): ExecutionResult {
  if (executed === undefined) return result;
  const { sent: calls, cacheHits, coalesced } = new CallCounts().add(rest.calls);
  const isExplained = headers['x-explain'] === 'true';
  const cost = isExplained
    ? { estimatedCalls: executed.estimatedCalls, calls, cacheHits, coalesced }
    : { calls, cacheHits, coalesced };
  const explain = isExplained && { explain: rest.calls.slice(0, MAX_EXPLAINED).map(describeCall) };
  return { ...result, extensions: { cost, ...explain, ...result.extensions } };
}

/** `fields` is a JSON string; it is parsed to be readable. */
function describeCall({ call: { method, path, parameters }, ...outcome }: CallRecord) {
  const { fields } = parameters;
  const displayed = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: displayed, ...outcome };
}
